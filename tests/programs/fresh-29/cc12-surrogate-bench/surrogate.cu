#include "executor.h"

namespace bench {

namespace {

__device__ unsigned long long now()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ void compute_for(unsigned long long ns)
{
    const unsigned long long t0 = now();
    while (now() - t0 < ns) __nanosleep(500);
}

__global__ void dynamics_kernel(unsigned *out, StepParams p, StepStamp *stamps)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) stamps[p.step].begin = now();
    compute_for(6000000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kCells; i += gridDim.x * blockDim.x)
        out[i] = i * 2654435761u + p.forcing;
}

__global__ void physics_kernel(unsigned *out, StepParams p)
{
    compute_for(6000000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kCells; i += gridDim.x * blockDim.x)
        out[i] = (i ^ p.forcing) * 40503u + p.step;
}

__global__ void merge_kernel(unsigned *state, const unsigned *a, const unsigned *b, StepParams p, StepStamp *stamps)
{
    for (int i = threadIdx.x; i < kCells; i += blockDim.x) state[i] = state[i] * 3u + (a[i] ^ b[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        compute_for(3000000);
        stamps[p.step].end = now();
    }
}

} // namespace

Surrogate::Surrogate()
{
    check(cudaStreamCreateWithFlags(&origin_, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    check(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
    check(cudaMalloc(&dynamics_, kCells * sizeof(unsigned)));
    check(cudaMalloc(&physics_, kCells * sizeof(unsigned)));
    check(cudaMalloc(&state_, kCells * sizeof(unsigned)));
    check(cudaMalloc(&stamps_, kMaxSteps * sizeof(StepStamp)));
    reset();
}

Surrogate::~Surrogate()
{
    cudaFree(stamps_);
    cudaFree(state_);
    cudaFree(physics_);
    cudaFree(dynamics_);
    cudaEventDestroy(join_);
    cudaEventDestroy(fork_);
    cudaStreamDestroy(side_);
    cudaStreamDestroy(origin_);
}

void Surrogate::reset()
{
    check(cudaMemsetAsync(state_, 0, kCells * sizeof(unsigned), origin_));
    check(cudaStreamSynchronize(origin_));
}

void Surrogate::enqueue(const StepParams &p)
{
    check(cudaEventRecord(fork_, origin_));
    check(cudaStreamWaitEvent(side_, fork_, 0));
    physics_kernel<<<8, 256, 0, side_>>>(physics_, p);
    check(cudaGetLastError());
    check(cudaEventRecord(join_, side_));

    dynamics_kernel<<<8, 256, 0, origin_>>>(dynamics_, p, stamps_);
    check(cudaGetLastError());
    check(cudaStreamWaitEvent(origin_, join_, 0));
    merge_kernel<<<1, 512, 0, origin_>>>(state_, dynamics_, physics_, p, stamps_);
    check(cudaGetLastError());
}

std::vector<unsigned> Surrogate::state() const
{
    std::vector<unsigned> h(kCells);
    check(cudaMemcpyAsync(h.data(), state_, kCells * sizeof(unsigned), cudaMemcpyDeviceToHost, origin_));
    check(cudaStreamSynchronize(origin_));
    return h;
}

std::vector<StepStamp> Surrogate::stamps(int n) const
{
    std::vector<StepStamp> h(n);
    check(cudaMemcpyAsync(h.data(), stamps_, n * sizeof(StepStamp), cudaMemcpyDeviceToHost, origin_));
    check(cudaStreamSynchronize(origin_));
    return h;
}

} // namespace bench
