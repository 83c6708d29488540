#include "plan.h"

namespace refl {
namespace {

__device__ void pass_time(unsigned us)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); while (t - t0 < us * 1000ull);
}

__global__ void fill_weights(int* w, int n)
{
    pass_time(60000);
    for (int i = threadIdx.x; i < n; i += blockDim.x) w[i] = i % 17 + 1;
}

__global__ void reflect(const int* in, int* out, const int* weights, int n, unsigned pace_us)
{
    pass_time(pace_us);
    const int* src = in + static_cast<size_t>(blockIdx.x) * n;
    int* dst = out + static_cast<size_t>(blockIdx.x) * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) dst[i] = weights[i] * src[i] + src[n - 1 - i];
}

}  // namespace

Plan::Plan(PlanKey key, int threads, int pace_us) : key_(key), threads_(threads), pace_us_(pace_us)
{
    require(cudaStreamCreateWithFlags(&second_, cudaStreamNonBlocking));
    require(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    require(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
    require(cudaMalloc(&weights_, key.n * sizeof(int)));
    fill_weights<<<1, 256, 0, second_>>>(weights_, key.n);
    require(cudaGetLastError());
    require(cudaEventRecord(join_, second_));
}

Plan::~Plan()
{
    cudaStreamSynchronize(second_);
    cudaFree(weights_);
    cudaEventDestroy(join_);
    cudaEventDestroy(fork_);
    cudaStreamDestroy(second_);
}

void Plan::execute(const int* in, int* out, cudaStream_t stream)
{
    const int lower = key_.batch / 2, upper = key_.batch - lower;
    const size_t shift = static_cast<size_t>(lower) * key_.n;
    require(cudaStreamWaitEvent(stream, join_, 0));
    require(cudaEventRecord(fork_, stream));
    require(cudaStreamWaitEvent(second_, fork_, 0));
    if (lower) reflect<<<lower, threads_, 0, stream>>>(in, out, weights_, key_.n, pace_us_);
    reflect<<<upper, threads_, 0, second_>>>(in + shift, out + shift, weights_, key_.n, pace_us_);
    require(cudaGetLastError());
    require(cudaEventRecord(join_, second_));
    require(cudaStreamWaitEvent(stream, join_, 0));
}

double Plan::measure(const int* in, int* out, cudaStream_t stream, int repeats)
{
    cudaEvent_t begin, end;
    require(cudaEventCreate(&begin));
    require(cudaEventCreate(&end));

    execute(in, out, stream);
    require(cudaEventRecord(begin, stream));
    for (int i = 0; i < repeats; ++i) execute(in, out, stream);
    require(cudaEventRecord(fork_, stream));
    require(cudaStreamWaitEvent(second_, fork_, 0));
    require(cudaEventRecord(end, second_));
    require(cudaEventSynchronize(end));

    float ms = 0.f;
    require(cudaEventElapsedTime(&ms, begin, end));
    require(cudaEventDestroy(begin));
    require(cudaEventDestroy(end));
    return ms / repeats;
}

std::string Plan::describe() const
{
    return std::to_string(key_.n) + "x" + std::to_string(key_.batch) + "/" + std::to_string(threads_);
}

}  // namespace refl
