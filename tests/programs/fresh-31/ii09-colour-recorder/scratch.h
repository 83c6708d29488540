#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace grade {

inline void expect(cudaError_t status) {
    if (status != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(status));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

// Pinned host memory for the small tables of one stage.
class Scratch {
public:
    explicit Scratch(std::size_t bytes) : bytes_(bytes) {
        expect(cudaMallocHost(reinterpret_cast<void**>(&base_), bytes));
    }
    ~Scratch() { cudaFreeHost(base_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    template <typename T>
    T* claim(std::size_t count) {
        const std::size_t at = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
        if (at + count * sizeof(T) > bytes_) expect(cudaErrorMemoryAllocation);
        used_ = at + count * sizeof(T);
        return reinterpret_cast<T*>(base_ + at);
    }
    void rewind() { used_ = 0; }

private:
    unsigned char* base_ = nullptr;
    std::size_t bytes_;
    std::size_t used_ = 0;
};

}  // namespace grade
