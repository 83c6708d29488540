#include "flow.h"

#define RET(call)                    \
    do {                             \
        cudaError_t e_ = (call);     \
        if (e_ != cudaSuccess)       \
            return e_;               \
    } while (0)

__global__ static void advance(const float *inflow, float *out, int cells, int step, long long ns)
{
    long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
        out[i] = 2.f * inflow[i] + (float)step;
}

float flow_boundary(int step, int cell) { return (float)((cell + 37 * step) % 1009); }
float flow_expected(int step, int cell) { return 2.f * flow_boundary(step, cell) + (float)step; }

cudaError_t flow_create(flow_domain *d, int cells, int steps)
{
    d->cells = cells;
    d->steps = steps;
    RET(cudaMalloc(&d->inflow, sizeof(float) * cells));
    RET(cudaMalloc(&d->history, sizeof(float) * cells * steps));
    RET(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
    RET(cudaEventCreateWithFlags(&d->consumed, cudaEventDisableTiming));
    return cudaSuccess;
}

cudaError_t flow_advance(flow_domain *d, int step, cudaEvent_t inflow_ready)
{
    RET(cudaStreamWaitEvent(d->stream, inflow_ready, 0));
    advance<<<64, 256, 0, d->stream>>>(d->inflow, d->history + (size_t)step * d->cells, d->cells, step,
                                       40ll * 1000 * 1000);
    RET(cudaGetLastError());
    RET(cudaEventRecord(d->consumed, d->stream));
    return cudaSuccess;
}

cudaError_t flow_destroy(flow_domain *d)
{
    RET(cudaStreamSynchronize(d->stream));
    RET(cudaEventDestroy(d->consumed));
    RET(cudaStreamDestroy(d->stream));
    RET(cudaFree(d->inflow));
    RET(cudaFree(d->history));
    return cudaSuccess;
}
