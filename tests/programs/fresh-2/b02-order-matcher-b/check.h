#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

namespace exch {

inline void require(cudaError_t rc) {
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t n) : n_(n) {
        require(cudaMalloc(&p_, n * sizeof(T)));
        require(cudaMemset(p_, 0, n * sizeof(T)));
        require(cudaDeviceSynchronize());
    }
    ~DeviceArray() { cudaFree(p_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* get() const { return p_; }
    std::size_t size() const { return n_; }

private:
    T* p_ = nullptr;
    std::size_t n_;
};

}  // namespace exch
