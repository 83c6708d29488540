#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace gpu {

inline void check(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(handle_); }
    Stream(const Stream&) = delete;
    operator cudaStream_t() const { return handle_; }
    void sync() const { check(cudaStreamSynchronize(handle_)); }

private:
    cudaStream_t handle_ = nullptr;
};

class Fence {
public:
    Fence() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    Fence(Fence&& o) noexcept : event_(std::exchange(o.event_, nullptr)) {}
    ~Fence() {
        if (event_) cudaEventDestroy(event_);
    }

    void mark(cudaStream_t stream = nullptr) { check(cudaEventRecord(event_, stream)); }
    void await() const { check(cudaEventSynchronize(event_)); }

private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace gpu
