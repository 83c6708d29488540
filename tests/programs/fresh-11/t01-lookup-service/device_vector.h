#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CUDA_OK(call)                                             \
    do {                                                          \
        cudaError_t status_ = (call);                             \
        if (status_ != cudaSuccess) {                             \
            std::printf("ERROR %s\n", cudaGetErrorName(status_)); \
            std::fflush(stdout);                                  \
            std::_Exit(1);                                        \
        }                                                         \
    } while (0)

// Device array whose contents need not survive a change of size.
template <class T>
class DeviceVector {
public:
    DeviceVector() = default;
    explicit DeviceVector(std::size_t n) { resize(n); }
    ~DeviceVector() { release(); }
    DeviceVector(const DeviceVector&) = delete;
    DeviceVector& operator=(const DeviceVector&) = delete;

    void resize(std::size_t n)
    {
        if (n > capacity_) {
            release();
            CUDA_OK(cudaMalloc(&data_, n * sizeof(T)));
            capacity_ = n;
        }
        size_ = n;
    }
    T* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    void release()
    {
        if (data_) CUDA_OK(cudaFree(data_));
        data_ = nullptr;
        capacity_ = 0;
    }
    T* data_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

// Page-locked array that both sides can address.
template <class T>
class HostBuffer {
public:
    explicit HostBuffer(std::size_t n)
    {
        CUDA_OK(cudaHostAlloc(&data_, n * sizeof(T), cudaHostAllocMapped));
    }
    ~HostBuffer() { cudaFreeHost(data_); }
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;
    T* data() const { return data_; }
    T& operator[](std::size_t i) const { return data_[i]; }

private:
    T* data_ = nullptr;
};
