#include <cmath>
#include <cstdio>
#include <vector>

#include "pricer.h"

namespace {

std::vector<desk::Position> makeBook(int n, int day) {
    std::vector<desk::Position> book(n);
    for (int i = 0; i < n; ++i)
        book[i] = {1000.0f + float((i * 37 + day * 11) % 500), 0.5f + 0.25f * float(i % 40)};
    return book;
}

int deviations(const float* report, const std::vector<desk::Position>& book,
               const desk::Scenario& s) {
    int wrong = 0;
    for (std::size_t i = 0; i < book.size(); ++i) {
        const double want =
            0.98 * (double(s.fx) * book[i].notional *
                        std::exp(-(double(s.rate) + s.spread) * book[i].years) +
                    s.shift);
        if (!(std::fabs(report[i] - want) <= 1e-3 * std::fabs(want))) ++wrong;
    }
    return wrong;
}

}  // namespace

int main() {
    constexpr int positions = 4096;
    const desk::Scenario scenario{0.031f, 0.012f, 1.07f, 5.0f};

    desk::PinnedArena arena(1 << 20);
    desk::Pricer pricer(arena, positions);
    pricer.record(scenario);

    int wrong = 0;
    for (int day = 0; day < 3; ++day) {
        const auto book = makeBook(positions, day);
        pricer.load(book);
        for (int tick = 0; tick < 4; ++tick) wrong += deviations(pricer.reprice(), book, scenario);
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
