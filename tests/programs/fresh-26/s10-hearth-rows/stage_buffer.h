#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>

namespace hearth {

inline void must(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorName(status));
}

// Pinned host memory with device memory of the same size.
template <typename T>
class StageBuffer {
public:
    StageBuffer() = default;
    ~StageBuffer() { release(); }
    StageBuffer(const StageBuffer&) = delete;
    StageBuffer& operator=(const StageBuffer&) = delete;

    void allocate(std::size_t count) {
        release();
        must(cudaMallocHost(reinterpret_cast<void**>(&host_), count * sizeof(T)));
        must(cudaMalloc(reinterpret_cast<void**>(&device_), count * sizeof(T)));
    }

    void push(std::size_t count, cudaStream_t stream) {
        must(cudaMemcpyAsync(device_, host_, count * sizeof(T), cudaMemcpyHostToDevice, stream));
    }

    T* host() { return host_; }
    const T* device() const { return device_; }

private:
    void release() {
        if (device_) cudaFree(device_);
        if (host_) cudaFreeHost(host_);
        device_ = nullptr;
        host_ = nullptr;
    }

    T* host_ = nullptr;
    T* device_ = nullptr;
};

}  // namespace hearth
