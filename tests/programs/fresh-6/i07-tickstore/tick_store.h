#pragma once
#include "block_pool.h"

#include <vector>

struct Tick {
    int symbol;
    int price;
};

inline constexpr int kSymbols = 64;

class TickStore {
public:
    TickStore(std::size_t batches, std::size_t ticks_per_batch);
    ~TickStore();
    TickStore(const TickStore&) = delete;
    TickStore& operator=(const TickStore&) = delete;

    void append(const std::vector<Tick>& ticks);
    // volume per batch and symbol
    std::vector<long long> finish();

private:
    BlockPool<Tick> pool_;
    std::size_t per_batch_;
    std::size_t batches_;
    std::size_t used_ = 0;
    cudaStream_t stream_{};
    Tick* columns_ = nullptr;
    long long* volumes_ = nullptr;
};
