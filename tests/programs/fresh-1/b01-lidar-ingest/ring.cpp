#include "ring.h"

#include <string.h>

void ring_open(scan_ring *r, size_t points)
{
    memset(r, 0, sizeof *r);
    r->points = points;
    CK(cudaStreamCreateWithFlags(&r->copy, cudaStreamNonBlocking));
    CK(cudaStreamCreateWithFlags(&r->compute, cudaStreamNonBlocking));
    for (int i = 0; i < RING_SLOTS; ++i) {
        ring_slot *s = &r->slot[i];
        CK(cudaHostAlloc((void **)&s->host, points * sizeof(float), cudaHostAllocDefault));
        CK(cudaMalloc((void **)&s->dev, points * sizeof(float)));
        CK(cudaEventCreateWithFlags(&s->staged, cudaEventDisableTiming));
        CK(cudaEventCreateWithFlags(&s->uploaded, cudaEventDisableTiming));
        CK(cudaEventCreateWithFlags(&s->consumed, cudaEventDisableTiming));
    }
}

void ring_submit(scan_ring *r, ring_fill_fn fill, ring_launch_fn launch, void *user)
{
    unsigned seq = r->seq++;
    ring_slot *s = &r->slot[seq % RING_SLOTS];

    CK(cudaEventSynchronize(s->staged));
    fill(s->host, r->points, seq, user);

    CK(cudaEventRecord(s->staged, r->copy));
    CK(cudaStreamWaitEvent(r->copy, s->consumed, 0));
    CK(cudaMemcpyAsync(s->dev, s->host, r->points * sizeof(float),
                       cudaMemcpyHostToDevice, r->copy));
    CK(cudaEventRecord(s->uploaded, r->copy));

    CK(cudaStreamWaitEvent(r->compute, s->uploaded, 0));
    launch(s->dev, r->points, seq, r->compute, user);
    CK(cudaEventRecord(s->consumed, r->compute));
}

void ring_flush(scan_ring *r)
{
    CK(cudaStreamSynchronize(r->copy));
    CK(cudaStreamSynchronize(r->compute));
}

void ring_close(scan_ring *r)
{
    for (int i = 0; i < RING_SLOTS; ++i) {
        ring_slot *s = &r->slot[i];
        CK(cudaEventDestroy(s->staged));
        CK(cudaEventDestroy(s->uploaded));
        CK(cudaEventDestroy(s->consumed));
        CK(cudaFree(s->dev));
        CK(cudaFreeHost(s->host));
    }
    CK(cudaStreamDestroy(r->copy));
    CK(cudaStreamDestroy(r->compute));
}
