// policies.cuh - how a stage of the plume model gets its stream and hands on its result
#pragma once

#include <cuda_runtime.h>

#include <cstdlib>
#include <cstdio>

inline void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(0);
    }
}

// ---- streams -------------------------------------------------------------

template <unsigned Flags>
class OwnStream {
public:
    OwnStream()  { check(cudaStreamCreateWithFlags(&s_, Flags)); }
    ~OwnStream() { cudaStreamDestroy(s_); }
    OwnStream(const OwnStream &) = delete;
    OwnStream &operator=(const OwnStream &) = delete;
    cudaStream_t stream() const { return s_; }
private:
    cudaStream_t s_{};
};

using Independent = OwnStream<cudaStreamNonBlocking>;

// ---- hand-off ------------------------------------------------------------

// the next stage follows on the device
class ByEvent {
public:
    ByEvent()  { check(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
    ~ByEvent() { cudaEventDestroy(e_); }
    ByEvent(const ByEvent &) = delete;
    ByEvent &operator=(const ByEvent &) = delete;

    void publish(cudaStream_t s) { check(cudaEventRecord(e_, s)); }
    void follow(cudaStream_t s) const { check(cudaStreamWaitEvent(s, e_, 0)); }
private:
    cudaEvent_t e_{};
};

// nobody follows; the caller collects at the end of the frame
class ByHost {
public:
    void publish(cudaStream_t) {}
    void follow(cudaStream_t) const {}
};
