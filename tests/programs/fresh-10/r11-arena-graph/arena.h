#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace stereo {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

// Puts the calling thread into another capture mode for the length of a scope.
class CaptureModeScope {
public:
    explicit CaptureModeScope(cudaStreamCaptureMode mode) : mode_(mode) {
        check(cudaThreadExchangeStreamCaptureMode(&mode_));
    }
    ~CaptureModeScope() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    CaptureModeScope(const CaptureModeScope&) = delete;
    CaptureModeScope& operator=(const CaptureModeScope&) = delete;

private:
    cudaStreamCaptureMode mode_;
};

// Scratch memory of one graph, handed out piece by piece.
class Arena {
public:
    explicit Arena(std::size_t chunk) : chunk_(chunk) {}
    ~Arena() {
        for (char* p : chunks_) cudaFree(p);
    }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    template <class T>
    T* get(std::size_t count) {
        const std::size_t bytes = (count * sizeof(T) + 255) / 256 * 256;
        if (chunks_.empty() || used_ + bytes > size_) grow(bytes);
        T* p = reinterpret_cast<T*>(chunks_.back() + used_);
        used_ += bytes;
        return p;
    }

private:
    void grow(std::size_t bytes) {
        CaptureModeScope scope(cudaStreamCaptureModeRelaxed);
        const std::size_t size = std::max(bytes, chunk_);
        char* p = nullptr;
        check(cudaMalloc(&p, size));
        chunks_.push_back(p);
        size_ = size;
        used_ = 0;
    }

    std::size_t chunk_;
    std::size_t size_ = 0;
    std::size_t used_ = 0;
    std::vector<char*> chunks_;
};

}  // namespace stereo
