#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace tomo {

inline void require(cudaError_t rc)
{
    if (rc == cudaSuccess)
        return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::exit(1);
}

class Stream {
public:
    Stream() { require(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(s_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return s_; }
    void after(cudaEvent_t e) { require(cudaStreamWaitEvent(s_, e, 0)); }
    void drain() { require(cudaStreamSynchronize(s_)); }

private:
    cudaStream_t s_{};
};

class Event {
public:
    Event() { require(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
    ~Event() { cudaEventDestroy(e_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    operator cudaEvent_t() const { return e_; }
    void mark(cudaStream_t s) { require(cudaEventRecord(e_, s)); }
    void block() { require(cudaEventSynchronize(e_)); }

private:
    cudaEvent_t e_{};
};

template <class T>
class Pinned {
public:
    explicit Pinned(std::size_t n) { require(cudaHostAlloc((void**)&p_, n * sizeof(T), cudaHostAllocDefault)); }
    ~Pinned() { cudaFreeHost(p_); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    T* get() const { return p_; }

private:
    T* p_{};
};

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t n)
    {
        require(cudaMalloc((void**)&p_, n * sizeof(T)));
        require(cudaMemset(p_, 0, n * sizeof(T)));
    }
    ~DeviceArray() { cudaFree(p_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    T* get() const { return p_; }

private:
    T* p_{};
};

}  // namespace tomo
