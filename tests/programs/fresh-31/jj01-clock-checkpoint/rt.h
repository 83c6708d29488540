// Thin runtime layer of the lattice code: checks, streams, events.
#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <utility>

#define RT(call)                                              \
    do {                                                      \
        cudaError_t rt_err_ = (call);                         \
        if (rt_err_ != cudaSuccess) {                         \
            std::printf("ERROR %s\n", cudaGetErrorName(rt_err_)); \
            std::fflush(stdout);                              \
            std::_Exit(1);                                    \
        }                                                     \
    } while (0)

namespace rt {

class Mark {
public:
    Mark() { RT(cudaEventCreateWithFlags(&ev_, cudaEventDisableTiming)); }
    ~Mark() { if (ev_) cudaEventDestroy(ev_); }
    Mark(Mark&& o) noexcept : ev_(std::exchange(o.ev_, nullptr)) {}
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;
    cudaEvent_t get() const { return ev_; }

private:
    cudaEvent_t ev_ = nullptr;
};

class Lane {
public:
    Lane() { RT(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Lane() { cudaStreamDestroy(s_); }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    cudaStream_t raw() const { return s_; }
    void stamp(const Mark& m) const { RT(cudaEventRecord(m.get(), s_)); }
    void follow(const Mark& m) const { RT(cudaStreamWaitEvent(s_, m.get(), 0)); }
    void drain() const { RT(cudaStreamSynchronize(s_)); }

private:
    cudaStream_t s_ = nullptr;
};

}  // namespace rt
