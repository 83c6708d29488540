#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <utility>

inline void check(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

template <class T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(size_t n) : n_(n) {
        check(cudaMalloc(&p_, n * sizeof(T)));
        check(cudaMemset(p_, 0, n * sizeof(T)));
    }
    DeviceBuffer(DeviceBuffer&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(o.n_) {}
    DeviceBuffer(const DeviceBuffer&) = delete;
    ~DeviceBuffer() {
        if (p_) check(cudaFree(p_));
    }
    T* data() const { return p_; }
    size_t size() const { return n_; }

private:
    T* p_ = nullptr;
    size_t n_ = 0;
};
