#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                          \
    do {                                                     \
        cudaError_t e_ = (call);                             \
        if (e_ != cudaSuccess) {                             \
            std::printf("ERROR %s\n", cudaGetErrorName(e_)); \
            std::fflush(stdout);                             \
            std::_Exit(1);                                   \
        }                                                    \
    } while (0)

// Growable device buffer; contents are not preserved when it grows.
class DeviceArena {
public:
    explicit DeviceArena(size_t count) { grow(count); }
    ~DeviceArena() {
        if (data_) cudaFree(data_);
    }
    DeviceArena(const DeviceArena&) = delete;
    DeviceArena& operator=(const DeviceArena&) = delete;

    float* reserve(size_t count) {
        if (count > capacity_) grow(count + count / 2);
        return data_;
    }
    size_t capacity() const { return capacity_; }

private:
    void grow(size_t count) {
        float* bigger = nullptr;
        CHECK(cudaMalloc(&bigger, count * sizeof(float)));
        if (data_) CHECK(cudaFree(data_));
        data_ = bigger;
        capacity_ = count;
    }

    float* data_ = nullptr;
    size_t capacity_ = 0;
};
