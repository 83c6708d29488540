#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define GPU_OK(call) gpu::verify((call))

namespace gpu {

inline void verify(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

class Queue {
public:
    Queue() { GPU_OK(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Queue() { cudaStreamDestroy(s_); }
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;
    cudaStream_t get() const { return s_; }
    void wait() const { GPU_OK(cudaStreamSynchronize(s_)); }

private:
    cudaStream_t s_ = nullptr;
};

class Fence {
public:
    Fence() { GPU_OK(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
    ~Fence() { cudaEventDestroy(e_); }
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;
    void signal(const Queue& q) const { GPU_OK(cudaEventRecord(e_, q.get())); }
    void block(const Queue& q) const { GPU_OK(cudaStreamWaitEvent(q.get(), e_, 0)); }

private:
    cudaEvent_t e_ = nullptr;
};

template <class T>
class Grid {
public:
    Grid(int nx, int ny) : nx_(nx), ny_(ny) { GPU_OK(cudaMalloc(&p_, bytes())); }
    ~Grid() { cudaFree(p_); }
    Grid(const Grid&) = delete;
    Grid& operator=(const Grid&) = delete;
    T* data() const { return p_; }
    size_t bytes() const { return size_t(nx_) * ny_ * sizeof(T); }
    int nx() const { return nx_; }
    int ny() const { return ny_; }

private:
    int nx_, ny_;
    T* p_ = nullptr;
};

}  // namespace gpu
