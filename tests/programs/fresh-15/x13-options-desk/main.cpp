#include <array>
#include <chrono>
#include <cstdio>

#include "pool.h"
#include "pricer.h"

namespace {

constexpr int kSeats = 4;
constexpr int kPaths = 100000;

struct Sheet {
    double millis = 0.0;
    int wrong = 0;
    cudaError_t status = cudaSuccess;
};

Option optionAt(int i) {
    return Option{100.0f + static_cast<float>(i % 7), 95.0f + static_cast<float>(i % 13), i % 2 == 0};
}

Sheet quoteAll(Crew& crew, std::array<Workspace, kSeats>& desks, int count) {
    Sheet sheet;
    std::vector<std::future<Quote>> quotes;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i)
        quotes.push_back(crew.post([&desks, i](int seat) { return price(desks[seat], optionAt(i), kPaths); }));
    std::vector<Quote> got;
    for (auto& q : quotes) got.push_back(q.get());
    sheet.millis =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    for (int i = 0; i < count; ++i) {
        if (got[i].status != cudaSuccess)
            sheet.status = got[i].status;
        else
            sheet.wrong += got[i].payoff != priceOnHost(optionAt(i), kPaths);
    }
    return sheet;
}

}  // namespace

int main() {
    std::array<Workspace, kSeats> desks;
    cudaError_t status = cudaSuccess;
    for (auto& d : desks)
        if (auto e = prepare(d)) status = e;

    Sheet day;
    double single = 1.0;
    const int count = 32;
    if (status == cudaSuccess) {
        Crew crew(kSeats);
        quoteAll(crew, desks, kSeats * 2);
        single = quoteAll(crew, desks, 1).millis;
        day = quoteAll(crew, desks, count);
        status = day.status;
    }
    for (auto& d : desks) release(d);

    const double ratio = day.millis / (single * count / kSeats);
    if (status != cudaSuccess)
        std::printf("ERROR %s\n", cudaGetErrorName(status));
    else if (day.wrong)
        std::printf("WRONG %d\n", day.wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
