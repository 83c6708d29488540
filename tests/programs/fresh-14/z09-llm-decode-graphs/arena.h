#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace llm {

[[noreturn]] inline void die(cudaError_t e)
{
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

inline void check(cudaError_t e)
{
    if (e != cudaSuccess)
        die(e);
}

// Bump allocator over page-locked memory for small argument blocks.
class PinnedArena {
public:
    explicit PinnedArena(std::size_t bytes) : size_(bytes) { check(cudaMallocHost(&base_, bytes)); }
    ~PinnedArena() { cudaFreeHost(base_); }
    PinnedArena(const PinnedArena&) = delete;
    PinnedArena& operator=(const PinnedArena&) = delete;

    template <class T>
    T* make(const T& v)
    {
        const std::size_t at = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
        if (at + sizeof(T) > size_)
            die(cudaErrorMemoryAllocation);
        used_ = at + sizeof(T);
        return new (static_cast<char*>(base_) + at) T(v);
    }

    void rewind() { used_ = 0; }

private:
    void* base_ = nullptr;
    std::size_t size_ = 0;
    std::size_t used_ = 0;
};

}  // namespace llm
