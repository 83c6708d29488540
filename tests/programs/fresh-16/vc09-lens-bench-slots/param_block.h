#pragma once
#include <cstddef>
#include <stdexcept>
#include "check.h"

namespace optics {

// A small struct of parameters that kernels read through a device pointer, set up to `values` times.
template <class T>
class ParamBlock {
public:
    explicit ParamBlock(std::size_t values) : values_(values) {
        check(cudaMallocHost(reinterpret_cast<void**>(&host_), sizeof(T) * values_));
        check(cudaMalloc(reinterpret_cast<void**>(&device_), sizeof(T)));
    }
    ~ParamBlock() {
        cudaFree(device_);
        cudaFreeHost(host_);
    }
    ParamBlock(const ParamBlock&) = delete;
    ParamBlock& operator=(const ParamBlock&) = delete;

    const T* set(const T& value, cudaStream_t stream) {
        if (used_ == values_) throw std::length_error("ParamBlock");
        T* slot = host_ + used_++;
        *slot = value;
        check(cudaMemcpyAsync(device_, slot, sizeof(T), cudaMemcpyHostToDevice, stream));
        return device_;
    }

private:
    std::size_t values_;
    std::size_t used_ = 0;
    T* host_ = nullptr;
    T* device_ = nullptr;
};

}  // namespace optics
