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

    void ensure(std::size_t count) {
        if (count <= capacity_) return;
        const std::size_t grown = count + count / 2;
        release();
        must(cudaMallocHost(reinterpret_cast<void**>(&host_), grown * sizeof(T)));
        must(cudaMalloc(reinterpret_cast<void**>(&device_), grown * sizeof(T)));
        capacity_ = grown;
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
        capacity_ = 0;
    }

    T* host_ = nullptr;
    T* device_ = nullptr;
    std::size_t capacity_ = 0;
};

}  // namespace hearth
