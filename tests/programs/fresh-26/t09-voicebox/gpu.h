#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <type_traits>

namespace voice {

inline void must(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

struct StreamEnd {
    void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
struct EventEnd {
    void operator()(cudaEvent_t e) const { cudaEventDestroy(e); }
};
struct MemoryEnd {
    void operator()(void* p) const { cudaFree(p); }
};
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamEnd>;
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventEnd>;

inline Stream makeStream() {
    cudaStream_t s = nullptr;
    must(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return Stream(s);
}
inline Event makeEvent(unsigned flags = cudaEventDisableTiming) {
    cudaEvent_t e = nullptr;
    must(cudaEventCreateWithFlags(&e, flags));
    return Event(e);
}
template <class T>
using Buffer = std::unique_ptr<T, MemoryEnd>;
template <class T>
Buffer<T> makeBuffer(std::size_t n) {
    T* p = nullptr;
    must(cudaMalloc(reinterpret_cast<void**>(&p), n * sizeof(T)));
    return Buffer<T>(p);
}

}  // namespace voice
