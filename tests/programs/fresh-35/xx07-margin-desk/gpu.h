// CUDA helpers of the risk desk.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>
#include <stdexcept>

namespace gpu {

class Failure : public std::runtime_error {
public:
    Failure(cudaError_t code, const char* call) : std::runtime_error(call), code_(code) {}
    const char* name() const { return cudaGetErrorName(code_); }

private:
    cudaError_t code_;
};

inline void must(cudaError_t code, const char* call) {
    if (code != cudaSuccess) throw Failure(code, call);
}

#define GPU_MUST(call) ::gpu::must((call), #call)

class Stream {
public:
    explicit Stream(unsigned flags = cudaStreamDefault) { GPU_MUST(cudaStreamCreateWithFlags(&stream_, flags)); }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    operator cudaStream_t() const { return stream_; }
    void drain() const { GPU_MUST(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t stream_ = nullptr;
};

template <typename T>
class Memory {
public:
    explicit Memory(std::size_t n) : n_(n) {
        GPU_MUST(cudaMalloc(reinterpret_cast<void**>(&p_), n * sizeof(T)));
        GPU_MUST(cudaMemset(p_, 0, n * sizeof(T)));
    }
    ~Memory() { cudaFree(p_); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    T* get() const { return p_; }
    std::size_t size() const { return n_; }
    std::size_t bytes() const { return n_ * sizeof(T); }

private:
    T* p_ = nullptr;
    std::size_t n_;
};

// Page-locked host memory that kernels can address as well.
template <typename T>
class Shared {
public:
    explicit Shared(std::size_t n) : n_(n) {
        GPU_MUST(cudaHostAlloc(reinterpret_cast<void**>(&host_), n * sizeof(T), cudaHostAllocMapped));
        std::memset(static_cast<void*>(host_), 0, n * sizeof(T));
        GPU_MUST(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_), host_, 0));
    }
    ~Shared() { cudaFreeHost(host_); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

    T* host() const { return host_; }
    T* device() const { return device_; }
    T& operator[](std::size_t i) const { return host_[i]; }
    std::size_t size() const { return n_; }

private:
    T* host_ = nullptr;
    T* device_ = nullptr;
    std::size_t n_;
};

}  // namespace gpu
