#pragma once
#include <cub/cub.cuh>

#include "archive.h"

namespace plasma {

__host__ __device__ inline uint32_t start_of(int i) { return uint32_t(i) * 1103515245u + 12345u; }
__host__ __device__ inline uint32_t move(uint32_t x, int step) { return x * 1664525u + 1013904223u + uint32_t(step); }

__global__ void start_kernel(uint32_t* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = start_of(i);
}

__global__ void push_kernel(uint32_t* x, int n, int step, unsigned long long field_ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < field_ns);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = move(x[i], step);
}

// Positions of all particles, and their sum as the conserved quantity that the
// host looks at after every step.
class Solver {
public:
    explicit Solver(int n) : n_(n) {
        guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        guard(cudaMalloc(&x_, sizeof(uint32_t) * n_));
        guard(cudaMalloc(&sum_, sizeof(uint32_t)));
        guard(cudaMallocHost(&sum_host_, sizeof(uint32_t)));
        guard(cub::DeviceReduce::Sum(nullptr, scratch_bytes_, x_, sum_, n_, stream_));
        guard(cudaMalloc(&scratch_, scratch_bytes_));
        start_kernel<<<(n_ + 255) / 256, 256, 0, stream_>>>(x_, n_);
        guard(cudaStreamSynchronize(stream_));
    }
    ~Solver() {
        cudaStreamSynchronize(stream_);
        cudaFree(scratch_);
        cudaFreeHost(sum_host_);
        cudaFree(sum_);
        cudaFree(x_);
        cudaStreamDestroy(stream_);
    }
    Solver(const Solver&) = delete;

    uint32_t step(int number) {
        push_kernel<<<(n_ + 255) / 256, 256, 0, stream_>>>(x_, n_, number, 15000000ull);
        guard(cudaGetLastError());
        guard(cub::DeviceReduce::Sum(scratch_, scratch_bytes_, x_, sum_, n_, stream_));
        guard(cudaMemcpyAsync(sum_host_, sum_, sizeof(uint32_t), cudaMemcpyDeviceToHost, stream_));
        guard(cudaStreamSynchronize(stream_));
        return *sum_host_;
    }

    const uint32_t* positions() const { return x_; }
    cudaStream_t stream() const { return stream_; }

private:
    int n_;
    cudaStream_t stream_ = nullptr;
    uint32_t* x_ = nullptr;
    uint32_t* sum_ = nullptr;
    uint32_t* sum_host_ = nullptr;
    void* scratch_ = nullptr;
    size_t scratch_bytes_ = 0;
};

}  // namespace plasma
