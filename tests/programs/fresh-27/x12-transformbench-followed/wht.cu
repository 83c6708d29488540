#include "wht.h"

#define TPB 256

/* Twiddle and gather traffic of the production data layout, as a fixed time. */
static __device__ void traffic_cost(unsigned long long ns)
{
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t1));
    } while (t1 - t0 < ns);
}

static __global__ void wht_pass(uint64_t *x, int pairs, int stride, unsigned long long ns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    traffic_cost(ns);
    if (i >= pairs)
        return;
    const int lo = (i / stride) * 2 * stride + i % stride;
    const uint64_t a = x[lo], b = x[lo + stride];
    x[lo] = a + b;
    x[lo + stride] = a - b;
}

void wht_create(wht_plan *p, int log2n, unsigned long long pass_ns)
{
    p->log2n = log2n;
    p->pass_ns = pass_ns;
    GPU(cudaStreamCreateWithFlags(&p->lane, cudaStreamNonBlocking));
    GPU(cudaEventCreateWithFlags(&p->tail, cudaEventDisableTiming));
    GPU(cudaMalloc((void **)&p->data, sizeof(uint64_t) << log2n));
}

void wht_destroy(wht_plan *p)
{
    GPU(cudaStreamDestroy(p->lane));
    GPU(cudaEventDestroy(p->tail));
    GPU(cudaFree(p->data));
}

void wht_upload(wht_plan *p, const uint64_t *x)
{
    GPU(cudaMemcpyAsync(p->data, x, sizeof(uint64_t) << p->log2n, cudaMemcpyHostToDevice, p->lane));
    GPU(cudaStreamSynchronize(p->lane));
}

void wht_download(wht_plan *p, uint64_t *x)
{
    GPU(cudaMemcpyAsync(x, p->data, sizeof(uint64_t) << p->log2n, cudaMemcpyDeviceToHost, p->lane));
    GPU(cudaStreamSynchronize(p->lane));
}

void wht_execute(wht_plan *p)
{
    const int pairs = 1 << (p->log2n - 1);
    const int grid = (pairs + TPB - 1) / TPB;
    for (int pass = 0; pass < p->log2n; ++pass) {
        wht_pass<<<grid, TPB, 0, p->lane>>>(p->data, pairs, 1 << pass, p->pass_ns);
        GPU(cudaGetLastError());
    }
}

void wht_follow(wht_plan *p, cudaStream_t stream)
{
    GPU(cudaEventRecord(p->tail, p->lane));
    GPU(cudaStreamWaitEvent(stream, p->tail, 0));
}
