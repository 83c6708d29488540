#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#define BENCH_TRY(call)                              \
    do {                                             \
        if (cudaError_t e__ = (call); e__ != cudaSuccess) { \
            std::printf("ERROR %s\n", cudaGetErrorName(e__)); \
            std::fflush(stdout);                     \
            std::_Exit(1);                           \
        }                                            \
    } while (0)

namespace bench {

template <class T, cudaError_t (*Close)(T)>
class Handle {
public:
    Handle() = default;
    explicit Handle(T h) : h_(h) {}
    ~Handle() {
        if (h_) Close(h_);
    }
    Handle(Handle&& o) noexcept : h_(std::exchange(o.h_, nullptr)) {}
    Handle& operator=(Handle&& o) noexcept {
        std::swap(h_, o.h_);
        return *this;
    }
    T get() const { return h_; }

private:
    T h_ = nullptr;
};

inline cudaError_t close_stream(cudaStream_t s) { return cudaStreamDestroy(s); }
inline cudaError_t close_event(cudaEvent_t e) { return cudaEventDestroy(e); }

using StreamHandle = Handle<cudaStream_t, close_stream>;
using EventHandle = Handle<cudaEvent_t, close_event>;

inline StreamHandle new_stream() {
    cudaStream_t s = nullptr;
    BENCH_TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return StreamHandle(s);
}

inline EventHandle new_event(bool timing) {
    cudaEvent_t e = nullptr;
    BENCH_TRY(cudaEventCreateWithFlags(&e, timing ? cudaEventDefault : cudaEventDisableTiming));
    return EventHandle(e);
}

}  // namespace bench
