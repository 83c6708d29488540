#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace fields {

inline void verify(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

// Up to 64 equal blocks in one device allocation; a bitmap says which are free.
class BlockPool {
public:
    BlockPool(std::size_t floats, unsigned blocks) : floats_(floats) {
        verify(cudaMalloc(&base_, floats * blocks * sizeof(float)));
        free_ = blocks >= 64 ? ~0ull : (1ull << blocks) - 1;
    }
    ~BlockPool() { cudaFree(base_); }
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    float* get() {
        if (!free_) {
            std::printf("ERROR PoolEmpty\n");
            std::_Exit(1);
        }
        const int bit = __builtin_ctzll(free_);
        free_ &= free_ - 1;
        return base_ + bit * floats_;
    }
    void put(float* p) { free_ |= 1ull << ((p - base_) / floats_); }
    std::size_t floats() const { return floats_; }

private:
    std::size_t floats_;
    float* base_ = nullptr;
    std::uint64_t free_ = 0;
};

}  // namespace fields
