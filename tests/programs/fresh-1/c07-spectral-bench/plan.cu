#include <cstdio>
#include <cstdlib>

#include "plan.h"

void fail_if(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

namespace {

__device__ void work_for(unsigned long long ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}

__global__ void build_table(float* table, int length, int batch) {
    work_for(1500000ull * batch);
    for (int i = threadIdx.x; i < length; i += blockDim.x) table[i] = 1.f + i % 7;
}

__global__ void scale(const float* in, const float* table, float* work, int length) {
    work_for(2000000ull);
    for (int i = threadIdx.x; i < length; i += blockDim.x)
        work[blockIdx.x * length + i] = in[blockIdx.x * length + i] * table[i];
}

__global__ void shift(const float* work, float* out, int length) {
    for (int i = threadIdx.x; i < length; i += blockDim.x)
        out[blockIdx.x * length + i] = work[blockIdx.x * length + i] + 1.f;
}

}  // namespace

Plan::Plan(int batch, int length, cudaStream_t s) {
    fail_if(cudaMalloc(&table_, length * sizeof(float)));
    fail_if(cudaMalloc(&work_, sizeof(float) * batch * length));
    build_table<<<1, 256, 0, s>>>(table_, length, batch);
    fail_if(cudaGetLastError());
}

Plan::~Plan() {
    cudaFree(table_);
    cudaFree(work_);
}

SpectralFilter::SpectralFilter(int length) : length_(length) {
    fail_if(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

SpectralFilter::~SpectralFilter() {
    cudaStreamSynchronize(stream_);
    plans_.clear();
    cudaStreamDestroy(stream_);
}

Plan& SpectralFilter::plan_for(int batch) {
    auto& slot = plans_[batch];
    if (!slot) slot = std::make_unique<Plan>(batch, length_, stream_);
    return *slot;
}

void SpectralFilter::run(const float* in, float* out, int batch) {
    Plan& p = plan_for(batch);
    scale<<<batch, 256, 0, stream_>>>(in, p.table(), p.work(), length_);
    shift<<<batch, 256, 0, stream_>>>(p.work(), out, length_);
    fail_if(cudaGetLastError());
}
