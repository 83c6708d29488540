#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace infer {

inline void must(cudaError_t rc) {
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

template <class T>
class Buffer {
public:
    Buffer() = default;
    explicit Buffer(size_t n) : n_(n) { must(cudaMalloc(reinterpret_cast<void**>(&p_), n * sizeof(T))); }
    Buffer(Buffer&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(o.n_) {}
    Buffer& operator=(Buffer&& o) noexcept {
        std::swap(p_, o.p_);
        std::swap(n_, o.n_);
        return *this;
    }
    ~Buffer() {
        if (p_) cudaFree(p_);
    }
    T* get() const { return p_; }
    size_t bytes() const { return n_ * sizeof(T); }

private:
    T* p_ = nullptr;
    size_t n_ = 0;
};

}  // namespace infer
