#include "tick_store.h"

#include <cstdio>
#include <random>

int main() {
    constexpr std::size_t kBatches = 10;
    constexpr std::size_t kTicks = 20000;

    TickStore store(kBatches, kTicks);
    std::vector<long long> want(kBatches * kSymbols, 0);
    std::mt19937 rng(2024);
    for (std::size_t b = 0; b < kBatches; ++b) {
        std::vector<Tick> ticks;
        ticks.reserve(kTicks);
        for (std::size_t i = 0; i < kTicks; ++i) {
            const Tick t{static_cast<int>(rng() % kSymbols), static_cast<int>(rng() % 10000)};
            want[b * kSymbols + t.symbol] += t.price;
            ticks.push_back(t);
        }
        store.append(ticks);
    }

    const auto got = store.finish();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < want.size(); ++i) wrong += got[i] != want[i];
    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else
        std::printf("DONE\n");
}
