#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <new>
#include <stdexcept>
#include <vector>

struct GpuError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
inline void ensure(cudaError_t e) {
    if (e != cudaSuccess) throw GpuError(cudaGetErrorName(e));
}

template <class T>
struct PinnedAllocator {
    using value_type = T;
    PinnedAllocator() = default;
    template <class U>
    PinnedAllocator(const PinnedAllocator<U>&) noexcept {}
    T* allocate(std::size_t n) {
        void* p = nullptr;
        if (cudaMallocHost(&p, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
        return static_cast<T*>(p);
    }
    void deallocate(T* p, std::size_t) noexcept { cudaFreeHost(p); }
    template <class U>
    bool operator==(const PinnedAllocator<U>&) const noexcept {
        return true;
    }
    template <class U>
    bool operator!=(const PinnedAllocator<U>&) const noexcept {
        return false;
    }
};
template <class T>
using HostVec = std::vector<T, PinnedAllocator<T>>;

inline constexpr std::size_t kFeatures = 4096;

// One stream with its own buffers; requests given to different lanes are independent.
class Lane {
public:
    explicit Lane(int depth);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void submit(int turn, int key);
    void wait();
    const float* scores(int turn) const { return scores_.data() + turn * kFeatures; }

private:
    cudaStream_t stream_{};
    float* in_ = nullptr;
    float* out_ = nullptr;
    HostVec<float> features_;
    std::vector<float> scores_;
};
