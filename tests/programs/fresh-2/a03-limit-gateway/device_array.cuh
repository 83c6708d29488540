#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

inline void ck(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    explicit DeviceArray(const std::vector<T>& host) : n_(host.size()) {
        ck(cudaMalloc(&p_, n_ * sizeof(T)));
        ck(cudaMemcpy(p_, host.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    DeviceArray(DeviceArray&& o) noexcept
        : p_(std::exchange(o.p_, nullptr)), n_(std::exchange(o.n_, 0)) {}
    DeviceArray& operator=(DeviceArray&& o) noexcept {
        if (this != &o) {
            release();
            p_ = std::exchange(o.p_, nullptr);
            n_ = std::exchange(o.n_, 0);
        }
        return *this;
    }
    ~DeviceArray() { release(); }

    T* data() const { return p_; }
    size_t size() const { return n_; }

private:
    void release() {
        if (p_) ck(cudaFree(p_));
        p_ = nullptr;
    }
    T* p_ = nullptr;
    size_t n_ = 0;
};
