#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <cuda_runtime.h>

#define CAL_DO(call)                                                      \
    do {                                                                  \
        const cudaError_t cal_status = (call);                            \
        if (cal_status != cudaSuccess) {                                  \
            std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, #call);\
            std::printf("ERROR %s\n", cudaGetErrorName(cal_status));      \
            std::exit(1);                                                 \
        }                                                                 \
    } while (0)

namespace cal {

// Arrays out of the device pool, bound to the stream that asked for them.
struct PoolReturn {
    cudaStream_t stream = nullptr;
    void operator()(void* p) const { CAL_DO(cudaFreeAsync(p, stream)); }
};

template <class T>
using PoolArray = std::unique_ptr<T[], PoolReturn>;

template <class T>
PoolArray<T> pool_array(std::size_t n, cudaStream_t stream) {
    void* p = nullptr;
    CAL_DO(cudaMallocAsync(&p, n * sizeof(T), stream));
    return PoolArray<T>(static_cast<T*>(p), PoolReturn{stream});
}

inline void keep_pool_memory(int device) {
    cudaMemPool_t pool;
    CAL_DO(cudaDeviceGetDefaultMemPool(&pool, device));
    std::uint64_t keep = UINT64_MAX;
    CAL_DO(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
}

}  // namespace cal
