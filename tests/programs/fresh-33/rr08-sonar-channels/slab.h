#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>

struct GpuError : std::runtime_error {
    explicit GpuError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void gpu(cudaError_t e) {
    if (e != cudaSuccess) throw GpuError(e);
}

// Device array of trivially copyable elements.
template <class T>
class Slab {
public:
    explicit Slab(std::size_t n) : n_(n) { gpu(cudaMalloc(&p_, n * sizeof(T))); }
    ~Slab() { cudaFree(p_); }
    Slab(const Slab&) = delete;
    Slab& operator=(const Slab&) = delete;

    void wipe(cudaStream_t s = nullptr) { gpu(cudaMemsetAsync(p_, 0, bytes(), s)); }
    void load(const T* src, cudaStream_t s = nullptr) {
        gpu(cudaMemcpyAsync(p_, src, bytes(), cudaMemcpyHostToDevice, s));
    }
    void store(T* dst, cudaStream_t s = nullptr) const {
        gpu(cudaMemcpyAsync(dst, p_, bytes(), cudaMemcpyDeviceToHost, s));
    }
    T* get() const { return p_; }
    std::size_t bytes() const { return n_ * sizeof(T); }

private:
    std::size_t n_;
    T* p_ = nullptr;
};

// Page-locked counterpart.
template <class T>
class Pinned {
public:
    explicit Pinned(std::size_t n) { gpu(cudaMallocHost(&p_, n * sizeof(T))); }
    ~Pinned() { cudaFreeHost(p_); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    T* get() const { return p_; }
    T& operator[](std::size_t i) const { return p_[i]; }

private:
    T* p_ = nullptr;
};
