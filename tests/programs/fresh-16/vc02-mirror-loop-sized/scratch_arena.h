#pragma once
#include <cstddef>
#include <cuda_runtime.h>
#include "status.h"

namespace ao {

// One block of device memory handed out again for every telemetry product. Its size is fixed for the night.
class ScratchArena {
public:
    explicit ScratchArena(std::size_t bytes) : capacity_(bytes) { require(cudaMalloc(&base_, bytes)); }
    ~ScratchArena() { cudaFree(base_); }
    ScratchArena(const ScratchArena&) = delete;
    ScratchArena& operator=(const ScratchArena&) = delete;

    template <class T>
    T* take(std::size_t count) {
        if (count * sizeof(T) > capacity_) require(cudaErrorMemoryAllocation);
        return static_cast<T*>(base_);
    }

    std::size_t capacity() const { return capacity_; }

private:
    void* base_ = nullptr;
    std::size_t capacity_ = 0;
};

}  // namespace ao
