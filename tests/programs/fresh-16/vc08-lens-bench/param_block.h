#pragma once
#include "check.h"

namespace optics {

// A small struct of parameters that kernels read through a device pointer.
template <class T>
class ParamBlock {
public:
    ParamBlock() {
        check(cudaMallocHost(reinterpret_cast<void**>(&host_), sizeof(T)));
        check(cudaMalloc(reinterpret_cast<void**>(&device_), sizeof(T)));
    }
    ~ParamBlock() {
        cudaFree(device_);
        cudaFreeHost(host_);
    }
    ParamBlock(const ParamBlock&) = delete;
    ParamBlock& operator=(const ParamBlock&) = delete;

    const T* set(const T& value, cudaStream_t stream) {
        *host_ = value;
        check(cudaMemcpyAsync(device_, host_, sizeof(T), cudaMemcpyHostToDevice, stream));
        return device_;
    }

private:
    T* host_ = nullptr;
    T* device_ = nullptr;
};

}  // namespace optics
