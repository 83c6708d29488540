#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace gpu {

inline void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct DeviceDelete {
    void operator()(void* p) const { cudaFree(p); }
};
struct PinnedDelete {
    void operator()(void* p) const { cudaFreeHost(p); }
};

template <class T> using device_ptr = std::unique_ptr<T[], DeviceDelete>;
template <class T> using pinned_ptr = std::unique_ptr<T[], PinnedDelete>;

template <class T>
device_ptr<T> make_device(std::size_t n)
{
    void* p = nullptr;
    check(cudaMalloc(&p, n * sizeof(T)));
    return device_ptr<T>(static_cast<T*>(p));
}

template <class T>
pinned_ptr<T> make_pinned(std::size_t n)
{
    void* p = nullptr;
    check(cudaMallocHost(&p, n * sizeof(T)));
    return pinned_ptr<T>(static_cast<T*>(p));
}

class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(s_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return s_; }
    void wait() const { check(cudaStreamSynchronize(s_)); }

private:
    cudaStream_t s_{};
};

class Event {
public:
    Event() { check(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
    ~Event() { cudaEventDestroy(e_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    operator cudaEvent_t() const { return e_; }

private:
    cudaEvent_t e_{};
};

}  // namespace gpu
