#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace ads {

template <class Reporter>
struct BasicCheck {
    static void ok(cudaError_t e) {
        if (e != cudaSuccess) Reporter::report(e);
    }
};

struct ExitReporter {
    [[noreturn]] static void report(cudaError_t e) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
};

using Check = BasicCheck<ExitReporter>;

// Frees into the pool in the order of the stream the memory was drawn on.
struct PoolDelete {
    cudaStream_t stream = nullptr;
    void operator()(int* p) const noexcept { cudaFreeAsync(p, stream); }
};
using PoolInts = std::unique_ptr<int[], PoolDelete>;

class Arena {
public:
    explicit Arena(cudaStream_t s) : stream_(s) {
        cudaMemPool_t pool;
        unsigned long long keep = ~0ull;
        Check::ok(cudaDeviceGetDefaultMemPool(&pool, 0));
        Check::ok(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    }
    PoolInts ints(std::size_t n) const {
        void* p = nullptr;
        Check::ok(cudaMallocAsync(&p, n * sizeof(int), stream_));
        return PoolInts(static_cast<int*>(p), PoolDelete{stream_});
    }

private:
    cudaStream_t stream_;
};

}  // namespace ads
