#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace ct {

inline void require(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(2);
}

// Page-locked bump allocator for staging data, one per process.
class StagingArena {
public:
    static StagingArena& instance() {
        static StagingArena arena(1 << 20);
        return arena;
    }

    StagingArena(const StagingArena&) = delete;
    StagingArena& operator=(const StagingArena&) = delete;

    template <class T>
    T* take(std::size_t n) {
        const std::size_t begin = (used_ + 255) & ~std::size_t{255};
        if (begin + n * sizeof(T) > bytes_) throw std::bad_alloc();
        used_ = begin + n * sizeof(T);
        return reinterpret_cast<T*>(base_ + begin);
    }

    // Everything taken during the life of a Scope is returned at its end.
    class Scope {
    public:
        Scope() : mark_(instance().used_) {}
        ~Scope() { instance().used_ = mark_; }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        std::size_t mark_;
    };

private:
    explicit StagingArena(std::size_t bytes) : bytes_(bytes) {
        require(cudaHostAlloc(reinterpret_cast<void**>(&base_), bytes, cudaHostAllocDefault));
    }

    char* base_ = nullptr;
    std::size_t bytes_;
    std::size_t used_ = 0;
};

}  // namespace ct
