#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>

#define CU_TRY(expr)                                              \
    do {                                                          \
        const cudaError_t rc_ = (expr);                           \
        if (rc_ != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(rc_));     \
            std::fflush(stdout);                                  \
            std::_Exit(1);                                        \
        }                                                         \
    } while (0)

struct StreamCloser {
    void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
using StreamHandle = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamCloser>;

inline StreamHandle makeStream() {
    cudaStream_t s{};
    CU_TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return StreamHandle(s);
}

struct DeviceFree {
    void operator()(void* p) const { cudaFree(p); }
};
struct HostFree {
    void operator()(void* p) const { cudaFreeHost(p); }
};
template <class T>
using DevPtr = std::unique_ptr<T[], DeviceFree>;
template <class T>
using PinPtr = std::unique_ptr<T[], HostFree>;

template <class T>
DevPtr<T> deviceAlloc(size_t n) {
    void* p = nullptr;
    CU_TRY(cudaMalloc(&p, n * sizeof(T)));
    return DevPtr<T>(static_cast<T*>(p));
}
template <class T>
PinPtr<T> pinnedAlloc(size_t n) {
    void* p = nullptr;
    CU_TRY(cudaMallocHost(&p, n * sizeof(T)));
    return PinPtr<T>(static_cast<T*>(p));
}
