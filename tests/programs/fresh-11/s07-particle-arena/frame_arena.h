#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define GPU(expr)                                                           \
    do {                                                                    \
        const cudaError_t gpuStatus = (expr);                               \
        if (gpuStatus != cudaSuccess) {                                     \
            std::printf("ERROR %s\n", cudaGetErrorName(gpuStatus));         \
            std::fflush(stdout);                                            \
            std::_Exit(1);                                                  \
        }                                                                   \
    } while (0)

// Linear device allocator for data that lives no longer than a frame.
class FrameArena {
public:
    explicit FrameArena(std::size_t bytes) : capacity_(bytes) { GPU(cudaMalloc(&base_, bytes)); }
    ~FrameArena() { cudaFree(base_); }
    FrameArena(const FrameArena&) = delete;
    FrameArena& operator=(const FrameArena&) = delete;

    void reset() { used_ = 0; }

    template <typename T>
    T* alloc(std::size_t count) {
        const std::size_t start = (used_ + 255) & ~std::size_t{255};
        const std::size_t end = start + count * sizeof(T);
        if (end > capacity_) {
            std::printf("ERROR arena\n");
            std::fflush(stdout);
            std::_Exit(1);
        }
        used_ = end;
        return reinterpret_cast<T*>(static_cast<char*>(base_) + start);
    }

private:
    void* base_ = nullptr;
    std::size_t capacity_;
    std::size_t used_ = 0;
};
