#include "engine.h"

namespace serve {
namespace {

__constant__ float kGain[4] = {1.0f, 2.0f, 4.0f, 0.5f};
__device__ unsigned gLaunches = 0;

__global__ void embedKernel(float* x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] = x[i] * 2.0f + 1.0f;
}

__global__ void gainKernel(float* x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] *= kGain[i & 3];
}

__global__ void publishKernel(Mailbox* box, unsigned seq, unsigned count, unsigned stop) {
    gLaunches += 1;
    box->count = count;
    box->stop = stop;
    __threadfence();
    atomicExch(&box->seq, seq);
}

class Embed final : public Op {
public:
    void enqueue(float* x, int n, cudaStream_t s) const override {
        embedKernel<<<4, 256, 0, s>>>(x, n);
        check(cudaGetLastError());
    }
};

class Gain final : public Op {
public:
    void enqueue(float* x, int n, cudaStream_t s) const override {
        gainKernel<<<4, 256, 0, s>>>(x, n);
        check(cudaGetLastError());
    }
};

std::unique_ptr<Op> makeOp(const std::string& name) {
    if (name == "embed") return std::make_unique<Embed>();
    return std::make_unique<Gain>();
}

}  // namespace

const Op& OpRegistry::get(const std::string& name) {
    auto& slot = ops_[name];
    if (!slot) slot = makeOp(name);
    return *slot;
}

void publish(Mailbox* box, unsigned seq, unsigned count, unsigned stop, cudaStream_t s) {
    publishKernel<<<1, 1, 0, s>>>(box, seq, count, stop);
    check(cudaGetLastError());
}

}  // namespace serve
