#include "ring.h"

static CUdeviceptr word(CUdeviceptr base, int slot)
{
    return base + (CUdeviceptr)slot * sizeof(unsigned);
}

void ring_init(lidar_ring *r, int depth, size_t frame_bytes)
{
    r->depth = depth;
    r->frame_bytes = frame_bytes;
    DRV(cuMemAlloc(&r->frames, frame_bytes * depth));
    DRV(cuMemAlloc(&r->published, depth * sizeof(unsigned)));
    DRV(cuMemAlloc(&r->retired, depth * sizeof(unsigned)));
    DRV(cuMemsetD32(r->published, 0, depth));
    DRV(cuMemsetD32(r->retired, 0, depth));
    DRV(cuCtxSynchronize());
}

void ring_fini(lidar_ring *r)
{
    DRV(cuMemFree(r->retired));
    DRV(cuMemFree(r->published));
    DRV(cuMemFree(r->frames));
}

/* Producer side: returns the slot's memory for frame `seq`. */
CUdeviceptr ring_open(const lidar_ring *r, unsigned seq, CUstream s)
{
    int slot = ring_slot(r, seq);
    if (seq > (unsigned)r->depth)
        DRV(cuStreamWaitValue32(s, word(r->retired, slot), seq - (unsigned)r->depth,
                                CU_STREAM_WAIT_VALUE_GEQ));
    return r->frames + (CUdeviceptr)slot * r->frame_bytes;
}

void ring_publish(const lidar_ring *r, unsigned seq, CUstream s)
{
    DRV(cuStreamWriteValue32(s, word(r->published, ring_slot(r, seq)), seq, CU_STREAM_WRITE_VALUE_DEFAULT));
}

/* Consumer side. */
void ring_acquire(const lidar_ring *r, unsigned seq, CUstream s)
{
    DRV(cuStreamWaitValue32(s, word(r->published, ring_slot(r, seq)), seq, CU_STREAM_WAIT_VALUE_GEQ));
}

void ring_retire(const lidar_ring *r, unsigned seq, CUstream s)
{
    DRV(cuStreamWriteValue32(s, word(r->retired, ring_slot(r, seq)), seq, CU_STREAM_WRITE_VALUE_DEFAULT));
}
