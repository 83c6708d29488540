#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#define LT_CUDA(call)                                          \
    do {                                                       \
        cudaError_t lt_err_ = (call);                          \
        if (lt_err_ != cudaSuccess) {                          \
            std::printf("ERROR %s\n", cudaGetErrorName(lt_err_)); \
            std::fflush(stdout);                               \
            std::_Exit(2);                                     \
        }                                                      \
    } while (0)

namespace lidar {

struct StreamDeleter {
    void operator()(CUstream_st* s) const { cudaStreamDestroy(s); }
};
struct EventDeleter {
    void operator()(CUevent_st* e) const { cudaEventDestroy(e); }
};
struct DeviceDeleter {
    void operator()(void* p) const { cudaFree(p); }
};

using StreamPtr = std::unique_ptr<CUstream_st, StreamDeleter>;
using EventPtr = std::unique_ptr<CUevent_st, EventDeleter>;
template <class T>
using DevicePtr = std::unique_ptr<T[], DeviceDeleter>;

inline StreamPtr make_stream() {
    cudaStream_t s = nullptr;
    LT_CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return StreamPtr(s);
}

inline EventPtr make_event() {
    cudaEvent_t e = nullptr;
    LT_CUDA(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return EventPtr(e);
}

template <class T>
DevicePtr<T> make_device(std::size_t n) {
    void* p = nullptr;
    LT_CUDA(cudaMalloc(&p, n * sizeof(T)));
    LT_CUDA(cudaMemset(p, 0, n * sizeof(T)));
    return DevicePtr<T>(static_cast<T*>(p));
}

}  // namespace lidar
