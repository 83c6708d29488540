#include "gate.h"
#include "reduce.h"

namespace ens {

__global__ void gate_kernel(volatile unsigned* flag) {
    while (*flag == 0u) __nanosleep(500);
}

Gate::Gate() {
    void* p = nullptr;
    check(cudaHostAlloc(&p, sizeof(unsigned), cudaHostAllocMapped));
    flag_ = static_cast<volatile unsigned*>(p);
    *flag_ = 1u;
    void* d = nullptr;
    check(cudaHostGetDevicePointer(&d, p, 0));
    flag_dev_ = static_cast<unsigned*>(d);
}

Gate::~Gate() { cudaFreeHost(const_cast<unsigned*>(flag_)); }

void Gate::hold(const Queue& q) {
    gate_kernel<<<1, 1, 0, q.handle()>>>(flag_dev_);
    check(cudaGetLastError());
}

void Gate::open() { *flag_ = 1u; }
void Gate::rearm() { *flag_ = 0u; }

__global__ void partial_kernel(const long long* a, size_t n, long long* out) {
    __shared__ long long part[256];
    long long v = 0;
    for (size_t i = blockIdx.x * size_t(256) + threadIdx.x; i < n; i += size_t(gridDim.x) * 256) v += a[i];
    part[threadIdx.x] = v;
    __syncthreads();
    for (int w = 128; w > 0; w >>= 1) {
        if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

Reducer::Reducer(int blocks) : blocks_(blocks), partial_(blocks), host_(new long long[blocks]) {
    check(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking));
}

long long Reducer::sum(const Array<long long>& a) {
    partial_kernel<<<blocks_, 256, 0, s_>>>(a.get(), a.size(), partial_.get());
    check(cudaGetLastError());
    check(cudaStreamSynchronize(s_));
    check(cudaMemcpy(host_.get(), partial_.get(), blocks_ * sizeof(long long), cudaMemcpyDeviceToHost));
    long long total = 0;
    for (int i = 0; i < blocks_; ++i) total += host_[i];
    return total;
}

}  // namespace ens
