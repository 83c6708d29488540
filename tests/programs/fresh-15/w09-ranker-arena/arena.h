#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>

#define RANK_CHECK(expr)                                                        \
    do {                                                                        \
        cudaError_t err__ = (expr);                                             \
        if (err__ != cudaSuccess) throw std::runtime_error(cudaGetErrorName(err__)); \
    } while (false)

// Pinned scratch memory of a session. Memory is taken in scopes and goes back in one step.
class HostArena {
public:
    explicit HostArena(std::size_t bytes) : size_(bytes) {
        RANK_CHECK(cudaMallocHost(reinterpret_cast<void**>(&base_), bytes));
    }
    ~HostArena() { cudaFreeHost(base_); }
    HostArena(const HostArena&) = delete;
    HostArena& operator=(const HostArena&) = delete;

    template <class T>
    T* take(std::size_t n) {
        const std::size_t at = (top_ + 255) / 256 * 256;
        if (at + n * sizeof(T) > size_) throw std::runtime_error("arena");
        top_ = at + n * sizeof(T);
        return reinterpret_cast<T*>(base_ + at);
    }

    class Scope {
    public:
        explicit Scope(HostArena& a) : arena_(a), mark_(a.top_) {}
        ~Scope() { arena_.top_ = mark_; }

    private:
        HostArena& arena_;
        std::size_t mark_;
    };

private:
    char* base_ = nullptr;
    std::size_t size_;
    std::size_t top_ = 0;
};
