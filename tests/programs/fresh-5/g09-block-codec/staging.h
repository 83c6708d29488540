// Page-locked staging memory with stack discipline.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <new>
#include <stdexcept>

namespace codec {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

class Staging {
public:
    explicit Staging(std::size_t bytes) : bytes_(bytes) {
        check(cudaMallocHost(reinterpret_cast<void**>(&base_), bytes));
    }
    ~Staging() { cudaFreeHost(base_); }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    template <class T>
    T* push(std::size_t n) {
        const std::size_t at = (top_ + alignof(T) - 1) / alignof(T) * alignof(T);
        if (at + n * sizeof(T) > bytes_) throw std::bad_alloc();
        top_ = at + n * sizeof(T);
        return reinterpret_cast<T*>(base_ + at);
    }

    class Frame {
    public:
        explicit Frame(Staging& s) : staging_(s), mark_(s.top_) {}
        ~Frame() { staging_.top_ = mark_; }
        Frame(const Frame&) = delete;
        Frame& operator=(const Frame&) = delete;

    private:
        Staging& staging_;
        std::size_t mark_;
    };

private:
    char* base_ = nullptr;
    std::size_t bytes_;
    std::size_t top_ = 0;
};

}  // namespace codec
