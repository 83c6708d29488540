#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#define GPU(expr)                                              \
    do {                                                       \
        if (cudaError_t e_ = (expr); e_ != cudaSuccess) {      \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));   \
            std::fflush(stdout);                               \
            std::_Exit(1);                                     \
        }                                                      \
    } while (0)

// Bump allocator over one page-locked block.
class PinnedArena {
public:
    explicit PinnedArena(std::size_t bytes) {
        void* p = nullptr;
        GPU(cudaHostAlloc(&p, bytes, cudaHostAllocDefault));
        base_ = top_ = static_cast<char*>(p);
        end_ = base_ + bytes;
    }
    ~PinnedArena() { cudaFreeHost(base_); }
    PinnedArena(const PinnedArena&) = delete;
    PinnedArena& operator=(const PinnedArena&) = delete;

    template <class T>
    T* take(std::size_t n) {
        const std::size_t bytes = (n * sizeof(T) + 255) & ~std::size_t(255);
        if (top_ + bytes > end_) {
            std::printf("ERROR ArenaExhausted\n");
            std::_Exit(1);
        }
        T* p = reinterpret_cast<T*>(top_);
        top_ += bytes;
        return p;
    }

    // Gives back on destruction whatever was taken since construction.
    class Frame {
    public:
        explicit Frame(PinnedArena& a) : arena_(a), mark_(a.top_) {}
        ~Frame() { arena_.top_ = mark_; }

    private:
        PinnedArena& arena_;
        char* mark_;
    };

private:
    char* base_;
    char* top_;
    char* end_;
};
