#include "desk.h"

#include <chrono>
#include <cstdio>

int main()
{
    using clock = std::chrono::steady_clock;
    constexpr int kDesks = 4, kRounds = 4, kQuotes = kDesks * kRounds;

    unsigned long long* payoffs = nullptr;
    pricing::enforce(cudaMalloc(&payoffs, (kQuotes + 1) * sizeof *payoffs), "payoffs");
    pricing::enforce(cudaMemset(payoffs, 0, (kQuotes + 1) * sizeof *payoffs), "clear");
    pricing::enforce(cudaDeviceSynchronize(), "clear");

    pricing::pooled_resource pool(0);
    pricing::trading_floor floor(kDesks, pool);

    const pricing::quote_request rehearsal{1 << 20, 2000, payoffs + kQuotes};
    for (int d = 0; d < kDesks; ++d) floor.submit(rehearsal);
    floor.settle();

    const auto t0 = clock::now();
    floor.submit(rehearsal);
    floor.settle();
    const std::chrono::duration<double> one = clock::now() - t0;

    std::vector<pricing::quote_request> quotes;
    for (int k = 0; k < kQuotes; ++k)
        quotes.push_back({(1 << 18) * (1 + k % 3), 1000 + 50 * k, payoffs + k});

    const auto t1 = clock::now();
    for (const auto& q : quotes) floor.submit(q);
    floor.settle();
    const std::chrono::duration<double> all = clock::now() - t1;

    std::vector<unsigned long long> got(kQuotes);
    pricing::enforce(cudaMemcpy(got.data(), payoffs, kQuotes * sizeof got[0],
                                cudaMemcpyDeviceToHost),
                     "result");
    pricing::enforce(cudaFree(payoffs), "payoffs");

    long wrong = 0;
    for (int k = 0; k < kQuotes; ++k) wrong += got[k] != pricing::reference(quotes[k]);
    const double ratio = all.count() / (one.count() * kRounds);
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
