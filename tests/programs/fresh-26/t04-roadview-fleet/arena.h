#pragma once
// Page-locked bump memory for the small tables that stages send to the device.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace roadview {

inline void require(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

class HostArena {
public:
    explicit HostArena(std::size_t capacity) : capacity_(capacity) {
        require(cudaMallocHost(reinterpret_cast<void**>(&base_), capacity));
    }
    ~HostArena() { cudaFreeHost(base_); }
    HostArena(const HostArena&) = delete;
    HostArena& operator=(const HostArena&) = delete;

    template <class T>
    T* take(std::size_t n) {
        const std::size_t at = (used_ + 255) & ~static_cast<std::size_t>(255);
        if (at + n * sizeof(T) > capacity_) require(cudaErrorMemoryAllocation);
        used_ = at + n * sizeof(T);
        return reinterpret_cast<T*>(base_ + at);
    }

    // Everything taken within a scope goes back at its end.
    class Scope {
    public:
        explicit Scope(HostArena& arena) : arena_(arena), mark_(arena.used_) {}
        ~Scope() { arena_.used_ = mark_; }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        HostArena& arena_;
        std::size_t mark_;
    };

private:
    std::size_t capacity_;
    std::size_t used_ = 0;
    unsigned char* base_ = nullptr;
};

}  // namespace roadview
