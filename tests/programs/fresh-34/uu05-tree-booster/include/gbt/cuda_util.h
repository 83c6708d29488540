#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace gbt {

inline void guard(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// Page-locks the storage of an existing vector for as long as it lives itself.
template <class T>
class Registered {
public:
    explicit Registered(std::vector<T>& v) : p_(v.data()) {
        guard(cudaHostRegister(p_, v.size() * sizeof(T), cudaHostRegisterDefault));
    }
    ~Registered() { cudaHostUnregister(p_); }
    Registered(const Registered&) = delete;
    Registered& operator=(const Registered&) = delete;

private:
    T* p_;
};

template <class T>
class Device {
public:
    explicit Device(std::size_t n) : n_(n) { guard(cudaMalloc(reinterpret_cast<void**>(&p_), n * sizeof(T))); }
    ~Device() { cudaFree(p_); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    T* get() const { return p_; }
    std::size_t bytes() const { return n_ * sizeof(T); }

private:
    T* p_ = nullptr;
    std::size_t n_;
};

// Scratch memory in stream order.
template <class T>
class Scratch {
public:
    Scratch(std::size_t n, cudaStream_t s) : stream_(s) {
        guard(cudaMallocAsync(reinterpret_cast<void**>(&p_), n * sizeof(T), s));
    }
    ~Scratch() { guard(cudaFreeAsync(p_, stream_)); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    T* get() const { return p_; }

private:
    T* p_ = nullptr;
    cudaStream_t stream_;
};

class Streams {
public:
    explicit Streams(int n) : s_(n), e_(n) {
        for (auto& s : s_) guard(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        for (auto& e : e_) guard(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    }
    ~Streams() {
        for (auto e : e_) cudaEventDestroy(e);
        for (auto s : s_) cudaStreamDestroy(s);
    }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;
    int size() const { return static_cast<int>(s_.size()); }
    cudaStream_t stream(int i) const { return s_[i % s_.size()]; }
    cudaEvent_t event(int i) const { return e_[i % e_.size()]; }

private:
    std::vector<cudaStream_t> s_;
    std::vector<cudaEvent_t> e_;
};

inline void keep_pool_memory() {
    int device = 0;
    guard(cudaGetDevice(&device));
    cudaMemPool_t pool = nullptr;
    guard(cudaDeviceGetDefaultMemPool(&pool, device));
    unsigned long long all = ~0ull;
    guard(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    int off = 0;
    guard(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &off));
}

}  // namespace gbt
