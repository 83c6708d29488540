#pragma once
// Real-time half of the adaptive optics controller: a reconstructor that stays on the GPU for a whole
// observation and turns wavefront slopes into actuator voltages, one frame per posted number.
#include <array>
#include <atomic>
#include <vector>
#include <cuda_runtime.h>
#include "status.h"

namespace ao {

constexpr int kActuators = 64;

struct Mailbox {
    unsigned posted;
    unsigned served;
    unsigned halt;
    unsigned pad;
    float slopes[kActuators];
    float volts[kActuators];
};

__global__ void reconstruct(volatile Mailbox* box, const float* gain) {
    __shared__ unsigned ticket;
    __shared__ float slope[kActuators];
    const int t = threadIdx.x;
    unsigned seen = 0;
    for (;;) {
        if (t == 0) {
            unsigned p = box->posted;
            while (p == seen && !box->halt) p = box->posted;
            __threadfence_system();
            ticket = p;
        }
        __syncthreads();
        const unsigned now = ticket;
        if (now == seen) return;
        slope[t] = box->slopes[t];
        __syncthreads();
        float v = 0.0f;
        for (int j = 0; j < kActuators; ++j) v += gain[t * kActuators + j] * slope[j];
        box->volts[t] = v;
        __threadfence_system();
        __syncthreads();
        if (t == 0) box->served = now;
        seen = now;
    }
}

class MirrorLoop {
public:
    explicit MirrorLoop(const std::vector<float>& gain) {
        require(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(Mailbox), cudaHostAllocMapped));
        *box_ = Mailbox{};
        require(cudaMalloc(&gain_, gain.size() * sizeof(float)));
        require(cudaMemcpy(gain_, gain.data(), gain.size() * sizeof(float), cudaMemcpyHostToDevice));
        require(cudaDeviceSynchronize());
        require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        Mailbox* view = nullptr;
        require(cudaHostGetDevicePointer(reinterpret_cast<void**>(&view), box_, 0));
        reconstruct<<<1, kActuators, 0, stream_>>>(view, gain_);
        require(cudaGetLastError());
    }

    ~MirrorLoop() {
        shared()->halt = 1;
        require(cudaStreamSynchronize(stream_));
        cudaStreamDestroy(stream_);
        cudaFree(gain_);
        cudaFreeHost(box_);
    }

    MirrorLoop(const MirrorLoop&) = delete;
    MirrorLoop& operator=(const MirrorLoop&) = delete;

    void step(const std::array<float, kActuators>& slopes, float* volts) {
        volatile Mailbox* box = shared();
        for (int i = 0; i < kActuators; ++i) box->slopes[i] = slopes[i];
        std::atomic_thread_fence(std::memory_order_seq_cst);
        const unsigned ticket = ++frame_;
        box->posted = ticket;
        while (box->served != ticket) {
        }
        std::atomic_thread_fence(std::memory_order_seq_cst);
        for (int i = 0; i < kActuators; ++i) volts[i] = box->volts[i];
    }

private:
    volatile Mailbox* shared() { return box_; }

    Mailbox* box_ = nullptr;
    float* gain_ = nullptr;
    cudaStream_t stream_ = nullptr;
    unsigned frame_ = 0;
};

}  // namespace ao
