#pragma once
#include <vector>
#include "check.h"

// Fee schedule of one trading session: basis points by symbol and client tier.
class FeeTable {
public:
    static constexpr int kSymbols = 4096;
    static constexpr int kTiers = 256;

    static int bps(int version, int symbol, int tier)
    {
        return 1 + (symbol * 7 + tier * 3 + version * 11) % 50;
    }

    explicit FeeTable(int version) : version_(version)
    {
        std::vector<int> host(size_t(kSymbols) * kTiers);
        for (int s = 0; s < kSymbols; ++s)
            for (int t = 0; t < kTiers; ++t) host[size_t(s) * kTiers + t] = bps(version, s, t);
        check(cudaMalloc(&rates_, host.size() * sizeof(int)));
        check(cudaMemcpy(rates_, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
    }
    FeeTable(const FeeTable&) = delete;
    FeeTable& operator=(const FeeTable&) = delete;
    ~FeeTable() { check(cudaFree(rates_)); }

    const int* device() const { return rates_; }
    int version() const { return version_; }

private:
    int version_;
    int* rates_ = nullptr;
};
