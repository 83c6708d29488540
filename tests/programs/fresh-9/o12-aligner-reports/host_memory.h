#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

namespace mem {

inline void expect(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

template <class T>
struct PinnedAllocator {
    using value_type = T;
    PinnedAllocator() = default;
    template <class U>
    PinnedAllocator(const PinnedAllocator<U>&) {}
    T* allocate(size_t n) {
        void* p = nullptr;
        if (cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocDefault) != cudaSuccess) throw std::bad_alloc();
        return static_cast<T*>(p);
    }
    void deallocate(T* p, size_t) { cudaFreeHost(p); }
    friend bool operator==(const PinnedAllocator&, const PinnedAllocator&) { return true; }
    friend bool operator!=(const PinnedAllocator&, const PinnedAllocator&) { return false; }
};

template <class T>
using PinnedVector = std::vector<T, PinnedAllocator<T>>;

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(size_t n) : n_(n) { expect(cudaMalloc(&p_, n * sizeof(T))); }
    ~DeviceArray() { cudaFree(p_); }
    DeviceArray(const DeviceArray&) = delete;

    template <class Alloc>
    void upload(const std::vector<T, Alloc>& v, cudaStream_t s) {
        expect(cudaMemcpyAsync(p_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice, s));
    }
    template <class Alloc>
    void download(std::vector<T, Alloc>& v, cudaStream_t s) const {
        expect(cudaMemcpyAsync(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost, s));
    }
    T* get() const { return p_; }

private:
    T* p_ = nullptr;
    size_t n_;
};

}  // namespace mem
