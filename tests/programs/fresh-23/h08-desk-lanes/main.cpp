#include "desk.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double referenceTotal(const desk::DeskConfig& config, int book) {
    double total = 0;
    for (int i = 0; i < config.optionsPerBook; ++i) total += desk::intrinsic(desk::quote(book, i));
    return total;
}

}  // namespace

int main() {
    try {
        desk::DeskConfig config;
        desk::Desk desk(config);
        const int waves = 4;
        const int books = waves * desk.lanes();

        desk.value(0, desk.lanes());
        auto begin = Clock::now();
        desk.value(0, 1);
        const double single = secondsSince(begin);

        begin = Clock::now();
        const auto valuations = desk.value(0, books);
        const double elapsed = secondsSince(begin);

        int wrong = 0;
        std::map<int, double> byBook;
        for (const auto& valuation : valuations) byBook[valuation.book] = valuation.total;
        for (int book = 0; book < books; ++book) {
            const auto found = byBook.find(book);
            if (found == byBook.end() || std::fabs(found->second - referenceTotal(config, book)) > 0.5) ++wrong;
        }
        const double ratio = elapsed / (single * waves);
        std::printf("%d books, %.1f ms per book alone, %.1f ms in all\n", books, single * 1e3, elapsed * 1e3);
        if (wrong) std::printf("WRONG %d\n", wrong);
        else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
        else std::printf("DONE\n");
    } catch (const desk::DeviceFault& fault) {
        std::printf("ERROR %s\n", fault.what());
        return 1;
    }
    return 0;
}
