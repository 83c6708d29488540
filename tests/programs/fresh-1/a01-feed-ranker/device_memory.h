#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace ranker {

class GpuFailure : public std::runtime_error {
public:
    explicit GpuFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void require(cudaError_t e) {
    if (e != cudaSuccess) throw GpuFailure(e);
}

struct DeviceRelease {
    void operator()(void* p) const noexcept { cudaFree(p); }
};

struct PinnedRelease {
    void operator()(void* p) const noexcept { cudaFreeHost(p); }
};

template <class T> using DevicePtr = std::unique_ptr<T, DeviceRelease>;
template <class T> using PinnedPtr = std::unique_ptr<T, PinnedRelease>;

template <class T> DevicePtr<T> makeDevice(std::size_t n) {
    void* raw = nullptr;
    require(cudaMalloc(&raw, n * sizeof(T)));
    return DevicePtr<T>(static_cast<T*>(raw));
}

template <class T> PinnedPtr<T> makePinned(std::size_t n, unsigned flags = cudaHostAllocDefault) {
    void* raw = nullptr;
    require(cudaHostAlloc(&raw, n * sizeof(T), flags));
    return PinnedPtr<T>(static_cast<T*>(raw));
}

class Stream {
public:
    Stream() { require(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() { if (s_) cudaStreamDestroy(s_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return s_; }
    void wait() const { require(cudaStreamSynchronize(s_)); }
private:
    cudaStream_t s_ = nullptr;
};

}  // namespace ranker
