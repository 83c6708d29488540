#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

namespace pore {

class DeviceError : public std::runtime_error {
public:
    explicit DeviceError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void must(cudaError_t e)
{
    if (e != cudaSuccess)
        throw DeviceError(e);
}

class Stream {
public:
    Stream() { must(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream()
    {
        if (s_)
            cudaStreamDestroy(s_);
    }
    Stream(Stream&& o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
    Stream& operator=(Stream&&) = delete;
    operator cudaStream_t() const { return s_; }

private:
    cudaStream_t s_ = nullptr;
};

class Event {
public:
    Event() { must(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
    ~Event() { cudaEventDestroy(e_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record(cudaStream_t s) { must(cudaEventRecord(e_, s)); }
    void gate(cudaStream_t s) const { must(cudaStreamWaitEvent(s, e_, 0)); }

private:
    cudaEvent_t e_ = nullptr;
};

// Memory of the device's pool, returned to it in the order of the stream it came from.
struct PoolRelease {
    cudaStream_t home = nullptr;
    void operator()(void* p) const { cudaFreeAsync(p, home); }
};

template <class T>
using pool_ptr = std::unique_ptr<T[], PoolRelease>;

template <class T>
pool_ptr<T> pool_alloc(std::size_t n, cudaStream_t s)
{
    void* p = nullptr;
    must(cudaMallocAsync(&p, n * sizeof(T), s));
    return pool_ptr<T>(static_cast<T*>(p), PoolRelease{s});
}

}  // namespace pore
