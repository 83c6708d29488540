#pragma once
#include <cuda_runtime.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>

#define TRY(x)                                                   \
    if (cudaError_t rc_ = (x); rc_ != cudaSuccess) {             \
        std::printf("ERROR %s\n", cudaGetErrorName(rc_));        \
        std::fflush(stdout);                                     \
        std::_Exit(1);                                           \
    } else                                                       \
        (void)0

namespace scope {

class Event {
public:
    Event() { TRY(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
    ~Event() { cudaEventDestroy(e_); }
    Event(const Event&) = delete;
    void record(cudaStream_t s) { TRY(cudaEventRecord(e_, s)); }
    void wait() const { TRY(cudaEventSynchronize(e_)); }
    void hold(cudaStream_t s) const { TRY(cudaStreamWaitEvent(s, e_, 0)); }

private:
    cudaEvent_t e_{};
};

// Streams chunks of samples to the device through two pinned and two device buffers.
class Loader {
public:
    using Source = std::function<void(int chunk, float* into, size_t n)>;

    Loader(size_t chunk_floats, Source source);
    ~Loader();
    Loader(const Loader&) = delete;

    // Reads the chunk and queues its upload; returns the device copy.
    const float* stage(int chunk, cudaStream_t consumer);
    // The consumer has queued its last use of the chunk.
    void release(int chunk, cudaStream_t consumer);
    size_t size() const { return n_; }

private:
    struct Slot {
        float* host = nullptr;
        float* device = nullptr;
        Event uploaded;
        Event consumed;
    };
    size_t n_;
    Source source_;
    cudaStream_t copy_ = nullptr;
    std::array<Slot, 2> slots_;
};

}  // namespace scope
