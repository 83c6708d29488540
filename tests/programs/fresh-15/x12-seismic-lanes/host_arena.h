#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace seis {

class CudaStatus {
public:
    explicit CudaStatus(cudaError_t e = cudaSuccess) : e_(e) {}
    bool ok() const { return e_ == cudaSuccess; }
    const char* name() const { return cudaGetErrorName(e_); }
    void merge(cudaError_t e) {
        if (ok()) e_ = e;
    }

private:
    cudaError_t e_;
};

struct ArenaPolicy {
    // Blocks below this size come from the heap, so that page-locked memory isn't broken up.
    size_t largeFrom = 64 * 1024;
};

// Owns every host block of a run and returns all of them at its end.
class HostArena {
public:
    explicit HostArena(ArenaPolicy policy) : policy_(policy) {}
    ~HostArena() {
        for (const Block& b : blocks_) {
            if (b.large)
                cudaFreeHost(b.p);
            else
                std::free(b.p);
        }
    }
    HostArena(const HostArena&) = delete;

    template <class T>
    T* make(size_t n) {
        return static_cast<T*>(raw(n * sizeof(T)));
    }

private:
    struct Block {
        void* p;
        bool large;
    };
    void* raw(size_t bytes) {
        void* p = nullptr;
        const bool large = bytes >= policy_.largeFrom;
        if (large) {
            if (cudaMallocHost(&p, bytes) != cudaSuccess) throw std::bad_alloc();
        } else if (!(p = std::malloc(bytes))) {
            throw std::bad_alloc();
        }
        blocks_.push_back({p, large});
        return p;
    }

    ArenaPolicy policy_;
    std::vector<Block> blocks_;
};

}  // namespace seis
