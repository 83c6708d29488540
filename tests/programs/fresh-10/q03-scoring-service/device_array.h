#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#define CUDA_OK(expr)                                           \
    do {                                                        \
        cudaError_t e_ = (expr);                                \
        if (e_ != cudaSuccess) {                                \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));    \
            std::fflush(stdout);                                \
            std::_Exit(1);                                      \
        }                                                       \
    } while (0)

template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    void reserve(std::size_t count) {
        if (count <= capacity_) return;
        CUDA_OK(cudaFree(data_));
        CUDA_OK(cudaMalloc(&data_, count * sizeof(T)));
        capacity_ = count;
    }
    T* data() const { return data_; }

private:
    T* data_ = nullptr;
    std::size_t capacity_ = 0;
};
