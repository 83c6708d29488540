#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <new>
#include <stdexcept>

namespace tg {

struct cuda_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void cuda_check(cudaError_t e) {
    if (e != cudaSuccess) {
        throw cuda_error(cudaGetErrorName(e));
    }
}

// Bump allocator over page-locked host memory.
class staging_arena {
public:
    explicit staging_arena(size_t capacity) : capacity_(capacity) {
        cuda_check(cudaMallocHost((void **) &base_, capacity));
    }
    ~staging_arena() { cudaFreeHost(base_); }
    staging_arena(const staging_arena &) = delete;
    staging_arena & operator=(const staging_arena &) = delete;

    template <typename T> T * take(size_t count) {
        const size_t bytes = padded(sizeof(T) * count);
        if (used_ + bytes > capacity_) {
            throw std::bad_alloc();
        }
        T * p = reinterpret_cast<T *>(base_ + used_);
        used_ += bytes;
        return p;
    }

    void rewind() { used_ = 0; }

    static size_t padded(size_t n) { return (n + 127) & ~size_t(127); }

private:
    char * base_ = nullptr;
    size_t capacity_;
    size_t used_ = 0;
};

}  // namespace tg
