#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

struct CudaFailure : std::runtime_error {
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void require(cudaError_t e) {
    if (e != cudaSuccess) throw CudaFailure(e);
}

template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    explicit DeviceArray(std::size_t count) : count_(count) {
        require(cudaMalloc(&data_, count * sizeof(T)));
    }
    DeviceArray(const std::vector<T>& values, cudaStream_t stream) : DeviceArray(values.size()) {
        require(cudaMemcpyAsync(data_, values.data(), values.size() * sizeof(T),
                                cudaMemcpyHostToDevice, stream));
        require(cudaStreamSynchronize(stream));
    }
    DeviceArray(DeviceArray&& o) noexcept { swap(o); }
    DeviceArray& operator=(DeviceArray&& o) noexcept {
        DeviceArray(std::move(o)).swap(*this);
        return *this;
    }
    ~DeviceArray() {
        if (data_) cudaFree(data_);
    }

    void swap(DeviceArray& o) noexcept {
        std::swap(data_, o.data_);
        std::swap(count_, o.count_);
    }
    const T* data() const { return data_; }
    std::size_t size() const { return count_; }

private:
    T* data_ = nullptr;
    std::size_t count_ = 0;
};
