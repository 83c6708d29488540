#include "domain.h"

#include <string.h>

#define TRY(call)                         \
    do {                                  \
        cudaError_t e_ = (call);          \
        if (e_ != cudaSuccess) return e_; \
    } while (0)

static __global__ void step_kernel(const uint32_t *west, const uint32_t *self, const uint32_t *east, uint32_t *next,
                                   int n, unsigned us)
{
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t1));
    } while (t1 - t0 < us * 1000ull);

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t l = i > 0 ? self[i - 1] : west[n - 1];
    uint32_t r = i + 1 < n ? self[i + 1] : east[0];
    next[i] = self[i] * 3u + (l ^ r);
}

int domain_open(struct domain *d, int cells_per_strip, unsigned step_us)
{
    memset(d, 0, sizeof(*d));
    d->cells_per_strip = cells_per_strip;
    d->step_us = step_us;
    for (int i = 0; i < STRIPS; i++) {
        struct strip *s = &d->strips[i];
        TRY(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking));
        TRY(cudaEventCreateWithFlags(&s->done, cudaEventDisableTiming));
        for (int b = 0; b < 2; b++) TRY(cudaMalloc((void **)&s->cells[b], cells_per_strip * sizeof(uint32_t)));
    }
    TRY(cudaStreamCreateWithFlags(&d->lead, cudaStreamNonBlocking));
    TRY(cudaEventCreateWithFlags(&d->go, cudaEventDisableTiming));
    return cudaSuccess;
}

int domain_load(struct domain *d, const uint32_t *cells)
{
    const int n = d->cells_per_strip;
    for (int i = 0; i < STRIPS; i++)
        TRY(cudaMemcpyAsync(d->strips[i].cells[0], cells + i * n, n * sizeof(uint32_t), cudaMemcpyHostToDevice,
                            d->lead));
    d->front = 0;
    return cudaStreamSynchronize(d->lead);
}

int domain_advance(struct domain *d, int steps)
{
    const int n = d->cells_per_strip;

    TRY(cudaEventRecord(d->go, d->lead));
    for (int i = 0; i < STRIPS; i++) TRY(cudaStreamWaitEvent(d->strips[i].stream, d->go, 0));

    for (int k = 0; k < steps; k++) {
        const int b = d->front;
        for (int i = 0; k > 0 && i < STRIPS; i++) {
            TRY(cudaStreamWaitEvent(d->strips[i].stream, d->strips[(i + STRIPS - 1) % STRIPS].done, 0));
            TRY(cudaStreamWaitEvent(d->strips[i].stream, d->strips[(i + 1) % STRIPS].done, 0));
        }
        for (int i = 0; i < STRIPS; i++) {
            struct strip *s = &d->strips[i];
            step_kernel<<<(n + 255) / 256, 256, 0, s->stream>>>(d->strips[(i + STRIPS - 1) % STRIPS].cells[b],
                                                               s->cells[b], d->strips[(i + 1) % STRIPS].cells[b],
                                                               s->cells[1 - b], n, d->step_us);
            TRY(cudaGetLastError());
            TRY(cudaEventRecord(s->done, s->stream));
        }
        d->front = 1 - b;
    }

    for (int i = 0; steps > 0 && i < STRIPS; i++) TRY(cudaStreamWaitEvent(d->lead, d->strips[i].done, 0));
    return cudaSuccess;
}

int domain_wait(struct domain *d)
{
    return cudaStreamSynchronize(d->lead);
}

int domain_store(struct domain *d, uint32_t *cells)
{
    const int n = d->cells_per_strip;
    for (int i = 0; i < STRIPS; i++)
        TRY(cudaMemcpyAsync(cells + i * n, d->strips[i].cells[d->front], n * sizeof(uint32_t), cudaMemcpyDeviceToHost,
                            d->lead));
    return cudaStreamSynchronize(d->lead);
}

int domain_close(struct domain *d)
{
    for (int i = 0; i < STRIPS; i++) {
        struct strip *s = &d->strips[i];
        TRY(cudaFree(s->cells[0]));
        TRY(cudaFree(s->cells[1]));
        TRY(cudaEventDestroy(s->done));
        TRY(cudaStreamDestroy(s->stream));
    }
    TRY(cudaEventDestroy(d->go));
    return cudaStreamDestroy(d->lead);
}
