#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace radio {

[[noreturn]] inline void give_up(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(2);
}

inline void cu(cudaError_t e) {
    if (e != cudaSuccess) give_up(e);
}

// Process-wide access to the accelerator and the stream of the correlator back end.
class Device {
public:
    static Device& get() {
        static Device device;
        return device;
    }

    cudaStream_t stream() const { return stream_; }
    void wait() const { cu(cudaStreamSynchronize(stream_)); }

    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

private:
    Device() {
        cu(cudaSetDevice(0));
        cu(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }

    cudaStream_t stream_ = nullptr;
};

}  // namespace radio
