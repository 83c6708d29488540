#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <new>
#include <stdexcept>

namespace audio {

class AudioError : public std::runtime_error {
public:
    explicit AudioError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void call(cudaError_t e) {
    if (e != cudaSuccess) throw AudioError(e);
}

// Bump allocator over one pinned region, for building parameter tables.
class PinnedArena {
public:
    explicit PinnedArena(std::size_t floats) : capacity_(floats) {
        call(cudaMallocHost(&base_, floats * sizeof(float)));
    }
    ~PinnedArena() { cudaFreeHost(base_); }
    PinnedArena(const PinnedArena&) = delete;
    PinnedArena& operator=(const PinnedArena&) = delete;

    float* take(std::size_t floats) {
        if (used_ + floats > capacity_) throw std::bad_alloc();
        float* p = base_ + used_;
        used_ += floats;
        return p;
    }

    std::size_t used() const { return used_; }

private:
    float* base_ = nullptr;
    std::size_t capacity_;
    std::size_t used_ = 0;
};

}  // namespace audio
