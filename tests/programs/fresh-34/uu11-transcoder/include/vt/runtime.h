#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace vt {

inline void expect(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

template <class T>
std::shared_ptr<T> device_buffer(std::size_t n) {
    void* p = nullptr;
    expect(cudaMalloc(&p, n * sizeof(T)));
    return std::shared_ptr<T>(static_cast<T*>(p), [](T* q) { cudaFree(q); });
}

template <class T>
std::shared_ptr<T> pinned_buffer(std::size_t n) {
    void* p = nullptr;
    expect(cudaMallocHost(&p, n * sizeof(T)));
    return std::shared_ptr<T>(static_cast<T*>(p), [](T* q) { cudaFreeHost(q); });
}

inline std::shared_ptr<CUstream_st> make_stream() {
    cudaStream_t s = nullptr;
    expect(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return std::shared_ptr<CUstream_st>(s, [](cudaStream_t q) { cudaStreamDestroy(q); });
}

inline std::shared_ptr<CUevent_st> make_event() {
    cudaEvent_t e = nullptr;
    expect(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return std::shared_ptr<CUevent_st>(e, [](cudaEvent_t q) { cudaEventDestroy(q); });
}

}  // namespace vt
