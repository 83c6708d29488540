#pragma once
#include <cuda_runtime.h>

#include <cstddef>

namespace desk {

template <class T>
class GrowBuffer {
public:
    GrowBuffer() = default;
    GrowBuffer(const GrowBuffer&) = delete;
    GrowBuffer& operator=(const GrowBuffer&) = delete;
    ~GrowBuffer() { cudaFree(data_); }

    cudaError_t ensure(std::size_t count) {
        if (count <= capacity_) return cudaSuccess;
        T* fresh = nullptr;
        if (cudaError_t e = cudaMalloc(&fresh, count * sizeof(T))) return e;
        if (data_ != nullptr) {
            if (cudaError_t e = cudaFree(data_)) return e;
        }
        data_ = fresh;
        capacity_ = count;
        return cudaSuccess;
    }

    T* data() const { return data_; }
    std::size_t capacity() const { return capacity_; }

private:
    T* data_ = nullptr;
    std::size_t capacity_ = 0;
};

}  // namespace desk
