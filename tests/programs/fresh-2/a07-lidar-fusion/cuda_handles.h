#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>

inline void require(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct StreamDeleter {
    void operator()(cudaStream_t s) const { require(cudaStreamDestroy(s)); }
};
struct EventDeleter {
    void operator()(cudaEvent_t e) const { require(cudaEventDestroy(e)); }
};
struct DeviceDeleter {
    void operator()(void* p) const { require(cudaFree(p)); }
};

using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDeleter>;
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDeleter>;
template <class T>
using DevPtr = std::unique_ptr<T[], DeviceDeleter>;

inline Stream make_stream() {
    cudaStream_t s;
    require(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return Stream(s);
}
inline Event make_event() {
    cudaEvent_t e;
    require(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return Event(e);
}
template <class T>
DevPtr<T> make_device(size_t n) {
    void* p = nullptr;
    require(cudaMalloc(&p, n * sizeof(T)));
    return DevPtr<T>(static_cast<T*>(p));
}
