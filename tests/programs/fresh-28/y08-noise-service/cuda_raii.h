#pragma once
#include <cuda_runtime.h>
#include <cstring>
#include <stdexcept>

namespace noise {

class CudaFailure : public std::runtime_error {
public:
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e)
{
    if (e != cudaSuccess) throw CudaFailure(e);
}

// A stream that leaves nothing behind: its end drains it.
class OwnedStream {
public:
    OwnedStream() { check(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~OwnedStream()
    {
        cudaStreamSynchronize(s_);
        cudaStreamDestroy(s_);
    }
    OwnedStream(const OwnedStream&) = delete;
    OwnedStream& operator=(const OwnedStream&) = delete;
    cudaStream_t get() const { return s_; }

private:
    cudaStream_t s_ = nullptr;
};

// Page locked memory that host and device both see.
template <class T>
class Mapped {
public:
    explicit Mapped(size_t n)
    {
        check(cudaHostAlloc(reinterpret_cast<void**>(&host_), n * sizeof(T), cudaHostAllocMapped));
        std::memset(static_cast<void*>(host_), 0, n * sizeof(T));
        check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_), host_, 0));
    }
    ~Mapped() { cudaFreeHost(host_); }
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;
    T* host() const { return host_; }
    T* device() const { return device_; }

private:
    T* host_ = nullptr;
    T* device_ = nullptr;
};

}  // namespace noise
