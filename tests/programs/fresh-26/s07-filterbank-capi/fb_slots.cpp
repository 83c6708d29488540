#include "fb_slots.h"

#include <cstring>

static cudaError_t slot_init(fb_slot* slot)
{
    const size_t bytes = FB_MAX_BATCH * sizeof(fb_desc);
    cudaError_t rc = cudaHostAlloc((void**)&slot->host, bytes, cudaHostAllocDefault);
    if (rc == cudaSuccess)
        rc = cudaMalloc((void**)&slot->dev, bytes);
    if (rc == cudaSuccess)
        rc = cudaEventCreateWithFlags(&slot->done, cudaEventDisableTiming);
    slot->pending = 0;
    return rc;
}

static void slot_fini(fb_slot* slot)
{
    if (slot->pending)
        cudaEventSynchronize(slot->done);
    if (slot->done)
        cudaEventDestroy(slot->done);
    if (slot->dev)
        cudaFree(slot->dev);
    if (slot->host)
        cudaFreeHost(slot->host);
}

/* Another stream of this thread may be under capture when an ordinary call needs its slot. */
static cudaError_t settle(fb_slot* slot)
{
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaError_t rc = cudaThreadExchangeStreamCaptureMode(&mode);
    if (rc != cudaSuccess)
        return rc;
    if (slot->pending)
        rc = cudaEventSynchronize(slot->done);
    cudaThreadExchangeStreamCaptureMode(&mode);
    if (rc == cudaSuccess)
        slot->pending = 0;
    return rc;
}

cudaError_t fb_slots_init(fb_slots* slots)
{
    cudaError_t rc = cudaSuccess;
    memset(slots, 0, sizeof *slots);
    for (int i = 0; i < FB_RING && rc == cudaSuccess; ++i)
        rc = slot_init(&slots->ring[i]);
    return rc;
}

void fb_slots_fini(fb_slots* slots)
{
    for (int i = 0; i < FB_RING; ++i)
        slot_fini(&slots->ring[i]);
}

cudaError_t fb_slots_take(fb_slots* slots, fb_slot** out)
{
    fb_slot* slot = &slots->ring[slots->next++ % FB_RING];
    *out = slot;
    return settle(slot);
}

cudaError_t fb_slots_put(fb_slots* slots, fb_slot* slot, int recording, cudaStream_t stream)
{
    (void)slots;
    if (recording)
        return cudaSuccess;
    cudaError_t rc = cudaEventRecord(slot->done, stream);
    if (rc == cudaSuccess)
        slot->pending = 1;
    return rc;
}
