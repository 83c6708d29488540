// Bump arena in chunks; memory stays valid until the arena dies.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace flow {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

class ModeScope {
public:
    explicit ModeScope(cudaStreamCaptureMode m) : mode_(m) { check(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    ~ModeScope() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    ModeScope(const ModeScope&) = delete;
    ModeScope& operator=(const ModeScope&) = delete;

private:
    cudaStreamCaptureMode mode_;
};

class Arena {
public:
    explicit Arena(std::size_t chunk_bytes) : chunk_(chunk_bytes) {}
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena() {
        for (char* c : chunks_) cudaFree(c);
    }

    template <class T>
    T* get(std::size_t n) {
        const std::size_t bytes = (n * sizeof(T) + 255) / 256 * 256;
        if (bytes > left_) grow(bytes);
        char* p = cursor_;
        cursor_ += bytes;
        left_ -= bytes;
        return reinterpret_cast<T*>(p);
    }

    std::size_t chunks() const { return chunks_.size(); }

private:
    void grow(std::size_t need) {
        const ModeScope scope(cudaStreamCaptureModeRelaxed);
        const std::size_t size = std::max(need, chunk_);
        check(cudaMalloc(reinterpret_cast<void**>(&cursor_), size));
        chunks_.push_back(cursor_);
        left_ = size;
    }

    std::size_t chunk_;
    std::vector<char*> chunks_;
    char* cursor_ = nullptr;
    std::size_t left_ = 0;
};

}  // namespace flow
