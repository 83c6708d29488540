#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

#define DESK_TRY(expr)                                                  \
    do {                                                                \
        const cudaError_t status_ = (expr);                             \
        if (status_ != cudaSuccess) {                                   \
            std::printf("ERROR %s\n", cudaGetErrorName(status_));       \
            std::fflush(stdout);                                        \
            std::_Exit(1);                                              \
        }                                                               \
    } while (0)

namespace desk {

// Bump allocator over one pinned block, for staging on the way to the device.
class PinnedArena {
public:
    explicit PinnedArena(std::size_t capacity) : capacity_(capacity) {
        DESK_TRY(cudaMallocHost(&base_, capacity));
    }
    ~PinnedArena() { cudaFreeHost(base_); }
    PinnedArena(const PinnedArena&) = delete;

    template <class T>
    T* take(std::size_t count = 1) {
        const std::size_t at = (used_ + 63) & ~std::size_t(63);
        if (at + count * sizeof(T) > capacity_) throw std::bad_alloc();
        used_ = at + count * sizeof(T);
        return reinterpret_cast<T*>(static_cast<char*>(base_) + at);
    }

    class Scope {
    public:
        explicit Scope(PinnedArena& arena) : arena_(arena), mark_(arena.used_) {}
        ~Scope() { arena_.used_ = mark_; }

    private:
        PinnedArena& arena_;
        std::size_t mark_;
    };

private:
    void* base_ = nullptr;
    std::size_t capacity_;
    std::size_t used_ = 0;
};

}  // namespace desk
