#pragma once
#include <cstddef>
#include <cuda_runtime.h>
#include "status.h"

namespace ao {

// One block of device memory handed out again for every telemetry product.
class ScratchArena {
public:
    explicit ScratchArena(std::size_t bytes) { resize(bytes); }
    ~ScratchArena() { cudaFree(base_); }
    ScratchArena(const ScratchArena&) = delete;
    ScratchArena& operator=(const ScratchArena&) = delete;

    template <class T>
    T* take(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        if (bytes > capacity_) resize(bytes + bytes / 4);
        return static_cast<T*>(base_);
    }

    std::size_t capacity() const { return capacity_; }

private:
    void resize(std::size_t bytes) {
        if (base_) require(cudaFree(base_));
        base_ = nullptr;
        require(cudaMalloc(&base_, bytes));
        capacity_ = bytes;
    }

    void* base_ = nullptr;
    std::size_t capacity_ = 0;
};

}  // namespace ao
