#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define RANK_CUDA(expr)                                           \
    do {                                                          \
        const cudaError_t rc = (expr);                            \
        if (rc != cudaSuccess) {                                  \
            std::fprintf(stderr, "%s:%d\n", __FILE__, __LINE__);  \
            std::printf("ERROR %s\n", cudaGetErrorName(rc));      \
            std::exit(EXIT_FAILURE);                              \
        }                                                         \
    } while (false)

namespace rank {

// Bump allocator over page-locked memory, for small tables on their way to the GPU.
class PinnedArena {
public:
    explicit PinnedArena(std::size_t capacity) : capacity_(capacity)
    {
        RANK_CUDA(cudaHostAlloc(reinterpret_cast<void**>(&base_), capacity, cudaHostAllocDefault));
    }
    ~PinnedArena() { cudaFreeHost(base_); }
    PinnedArena(const PinnedArena&) = delete;
    PinnedArena& operator=(const PinnedArena&) = delete;

    template <class T>
    T* take(std::size_t count)
    {
        const std::size_t bytes = (count * sizeof(T) + 255) & ~std::size_t{255};
        if (used_ + bytes > capacity_) {
            std::printf("ERROR ArenaExhausted\n");
            std::exit(EXIT_FAILURE);
        }
        T* p = reinterpret_cast<T*>(base_ + used_);
        used_ += bytes;
        return p;
    }

private:
    std::size_t capacity_;
    std::size_t used_ = 0;
    unsigned char* base_ = nullptr;
};

}  // namespace rank
