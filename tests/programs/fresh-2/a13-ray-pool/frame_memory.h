#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define RT_CHECK(e) ::rt::check((e), __FILE__, __LINE__)

namespace rt {

inline void check(cudaError_t e, const char* file, int line) {
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d\n", file, line);
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// Host side of all frames: one scene followed by one image per view.
class FrameStore {
public:
    FrameStore(size_t pixels, size_t views) : pixels_(pixels), host_(pixels * (views + 1)) {
        RT_CHECK(cudaHostRegister(host_.data(), host_.size() * sizeof(int),
                                  cudaHostRegisterDefault));
    }
    ~FrameStore() { RT_CHECK(cudaHostUnregister(host_.data())); }
    FrameStore(const FrameStore&) = delete;
    FrameStore& operator=(const FrameStore&) = delete;
    int* scene() { return host_.data(); }
    int* image(size_t view) { return host_.data() + (view + 1) * pixels_; }
    size_t plane_bytes() const { return pixels_ * sizeof(int); }

private:
    size_t pixels_;
    std::vector<int> host_;
};

inline void configure_pool(int device) {
    cudaMemPool_t pool;
    RT_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
    uint64_t keep = UINT64_MAX;
    RT_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    int off = 0;
    RT_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &off));
}

// Per-pass scratch storage.
template <class T>
class Scratch {
public:
    Scratch(size_t n, cudaStream_t s) : s_(s) {
        void* p = nullptr;
        RT_CHECK(cudaMallocAsync(&p, n * sizeof(T), s_));
        p_ = static_cast<T*>(p);
    }
    ~Scratch() { RT_CHECK(cudaFreeAsync(p_, s_)); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    operator T*() const { return p_; }

private:
    T* p_ = nullptr;
    cudaStream_t s_;
};

}  // namespace rt
