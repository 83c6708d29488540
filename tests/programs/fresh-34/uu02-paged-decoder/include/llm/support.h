#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace llm {

[[noreturn]] inline void die(cudaError_t status) {
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

inline void check(cudaError_t status) {
    if (status != cudaSuccess) die(status);
}

struct DeviceFree {
    void operator()(void* p) const { cudaFree(p); }
};

struct PinnedFree {
    void operator()(void* p) const { cudaFreeHost(p); }
};

struct StreamClose {
    void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};

struct GraphExecClose {
    void operator()(cudaGraphExec_t g) const { cudaGraphExecDestroy(g); }
};

template <class T>
using DevicePtr = std::unique_ptr<T[], DeviceFree>;

template <class T>
using PinnedPtr = std::unique_ptr<T[], PinnedFree>;

using StreamPtr = std::unique_ptr<CUstream_st, StreamClose>;
using GraphExecPtr = std::unique_ptr<CUgraphExec_st, GraphExecClose>;

template <class T>
DevicePtr<T> device_array(std::size_t n) {
    void* p = nullptr;
    check(cudaMalloc(&p, n * sizeof(T)));
    check(cudaMemset(p, 0, n * sizeof(T)));
    return DevicePtr<T>(static_cast<T*>(p));
}

template <class T>
PinnedPtr<T> pinned_array(std::size_t n) {
    void* p = nullptr;
    check(cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocDefault));
    T* t = static_cast<T*>(p);
    for (std::size_t i = 0; i < n; ++i) t[i] = T{};
    return PinnedPtr<T>(t);
}

inline StreamPtr make_stream() {
    cudaStream_t s = nullptr;
    check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return StreamPtr(s);
}

}  // namespace llm
