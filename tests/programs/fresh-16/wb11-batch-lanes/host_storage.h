#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace batch {

inline void expect(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

struct HeapStorage {
    static void* allocate(std::size_t bytes) {
        void* p = std::malloc(bytes);
        if (!p) throw std::bad_alloc();
        return p;
    }
    static void deallocate(void* p) { std::free(p); }
};

struct PinnedStorage {
    static void* allocate(std::size_t bytes) {
        void* p = nullptr;
        expect(cudaHostAlloc(&p, bytes, cudaHostAllocDefault));
        return p;
    }
    static void deallocate(void* p) { cudaFreeHost(p); }
};

// Storage by element type.
template <class T> struct storage_for { using type = HeapStorage; };
template <> struct storage_for<float> { using type = PinnedStorage; };
template <> struct storage_for<std::int8_t> { using type = PinnedStorage; };

template <class T, class Storage = typename storage_for<T>::type>
class HostTensor {
public:
    explicit HostTensor(std::size_t n)
        : n_(n), p_(static_cast<T*>(Storage::allocate(n * sizeof(T)))) {}
    ~HostTensor() { Storage::deallocate(p_); }
    HostTensor(const HostTensor&) = delete;
    HostTensor& operator=(const HostTensor&) = delete;

    T* data() { return p_; }
    std::size_t size() const { return n_; }
    std::size_t bytes() const { return n_ * sizeof(T); }
    T& operator[](std::size_t i) { return p_[i]; }

private:
    std::size_t n_;
    T* p_;
};

}  // namespace batch
