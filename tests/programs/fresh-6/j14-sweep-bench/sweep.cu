#include "sweep.h"

__global__ static void sweep_kernel(float *u, int first, int count, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        __nanosleep(500);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        u[first + i] += 1.f;
}

HalfSweep::HalfSweep(int cells) : cells_(cells)
{
    BENCH_CUDA(cudaMalloc(&u_, cells * sizeof(float)));
    BENCH_CUDA(cudaMemset(u_, 0, cells * sizeof(float)));
    BENCH_CUDA(cudaEventCreateWithFlags(&enter_, cudaEventDisableTiming));
    for (int l = 0; l < kLanes; ++l) {
        BENCH_CUDA(cudaStreamCreateWithFlags(&lane_[l], cudaStreamNonBlocking));
        BENCH_CUDA(cudaEventCreateWithFlags(&leave_[l], cudaEventDisableTiming));
    }
    BENCH_CUDA(cudaDeviceSynchronize());
}

HalfSweep::~HalfSweep()
{
    for (int l = 0; l < kLanes; ++l) {
        cudaStreamDestroy(lane_[l]);
        cudaEventDestroy(leave_[l]);
    }
    cudaEventDestroy(enter_);
    cudaFree(u_);
}

void HalfSweep::step(cudaStream_t origin)
{
    const int half = cells_ / kLanes;
    BENCH_CUDA(cudaEventRecord(enter_, origin));
    for (int l = 0; l < kLanes; ++l) {
        BENCH_CUDA(cudaStreamWaitEvent(lane_[l], enter_, 0));
        sweep_kernel<<<16, 256, 0, lane_[l]>>>(u_, l * half, half, 10ull * 1000 * 1000);
        BENCH_CUDA(cudaGetLastError());
        BENCH_CUDA(cudaEventRecord(leave_[l], lane_[l]));
    }
}

void HalfSweep::finish()
{
    for (int l = 0; l < kLanes; ++l)
        BENCH_CUDA(cudaEventSynchronize(leave_[l]));
}

long HalfSweep::mismatches(int steps) const
{
    std::vector<float> got(cells_);
    BENCH_CUDA(cudaMemcpy(got.data(), u_, cells_ * sizeof(float), cudaMemcpyDeviceToHost));
    long bad = 0;
    for (float v : got)
        bad += v != (float)steps;
    return bad;
}
