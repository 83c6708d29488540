// End of day: the books of all desks are revalued side by side.
#include <chrono>
#include <cstdio>
#include <exception>

#include "book.h"

namespace {

double milliseconds(pricing::Valuation& v, std::size_t books) {
    using namespace std::chrono;
    const auto begin = steady_clock::now();
    v.run(books);
    return duration<double, std::milli>(steady_clock::now() - begin).count();
}

}  // namespace

int main() {
    try {
        pricing::Valuation day;
        day.add(0, 2048).add(1, 2048).add(2, 1536).add(3, 2048);
        day.run(day.size());

        const double single = milliseconds(day, 1);
        const double whole = milliseconds(day, day.size());
        if (const int bad = day.discrepancies()) {
            std::printf("WRONG %d\n", bad);
            return 1;
        }
        if (whole > 1.5 * single) {
            std::printf("SLOW %.2f\n", whole / single);
            return 1;
        }
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
