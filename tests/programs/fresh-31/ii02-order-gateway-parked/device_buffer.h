#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "types.h"

#define GW_CUDA(call)                                                   \
    do {                                                                \
        cudaError_t gw_status_ = (call);                                \
        if (gw_status_ != cudaSuccess) ::gw::fatal(cudaGetErrorName(gw_status_)); \
    } while (0)

namespace gw {

template <typename T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(std::size_t count) : count_(count) {
        GW_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
        GW_CUDA(cudaMemset(data_, 0, count * sizeof(T)));
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    ~DeviceBuffer() { cudaFree(data_); }

    T* get() const { return data_; }
    std::size_t size() const { return count_; }

private:
    T* data_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace gw
