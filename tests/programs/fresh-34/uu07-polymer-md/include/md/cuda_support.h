#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#define MD_CUDA(expr)                                              \
    do {                                                           \
        cudaError_t md_status_ = (expr);                           \
        if (md_status_ != cudaSuccess) {                           \
            std::printf("ERROR %s\n", cudaGetErrorName(md_status_)); \
            std::fflush(stdout);                                   \
            std::_Exit(1);                                         \
        }                                                          \
    } while (0)

namespace md {

class Stream {
public:
    Stream() { MD_CUDA(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() {
        if (s_) cudaStreamDestroy(s_);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    Stream(Stream&& o) noexcept : s_(std::exchange(o.s_, nullptr)) {}

    operator cudaStream_t() const { return s_; }
    void synchronize() const { MD_CUDA(cudaStreamSynchronize(s_)); }

private:
    cudaStream_t s_ = nullptr;
};

class Event {
public:
    Event() { MD_CUDA(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
    ~Event() {
        if (e_) cudaEventDestroy(e_);
    }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record(cudaStream_t s) { MD_CUDA(cudaEventRecord(e_, s)); }
    void block(cudaStream_t s) const { MD_CUDA(cudaStreamWaitEvent(s, e_, 0)); }

private:
    cudaEvent_t e_ = nullptr;
};

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t n) : n_(n) {
        MD_CUDA(cudaMalloc(reinterpret_cast<void**>(&p_), n * sizeof(T)));
        MD_CUDA(cudaMemset(p_, 0, n * sizeof(T)));
    }
    ~DeviceArray() {
        if (p_) cudaFree(p_);
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() { return p_; }
    const T* data() const { return p_; }
    std::size_t size() const { return n_; }

private:
    T* p_ = nullptr;
    std::size_t n_ = 0;
};

}  // namespace md
