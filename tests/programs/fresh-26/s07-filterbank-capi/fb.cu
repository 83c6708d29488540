#include "fb.h"
#include "fb_slots.h"

#include <cstring>
#include <new>

struct fb_handle_s {
    fb_slots slots;
    cudaError_t last;
};

namespace {

constexpr int kThreads = 256;

__global__ void filter_batch(const fb_desc* table)
{
    const fb_desc d = table[blockIdx.y];
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < d.length; i += gridDim.x * kThreads) {
        const float previous = i > 0 ? d.src[i - 1] : 0.0f;
        d.dst[i] = d.gain * (d.src[i] + d.feed * previous) + d.offset;
    }
}

fb_status settle_status(fb_handle handle, cudaError_t rc)
{
    handle->last = rc;
    if (rc == cudaSuccess)
        return FB_OK;
    return rc == cudaErrorMemoryAllocation ? FB_NO_MEMORY : FB_CUDA;
}

int longest(const fb_desc* descs, int count)
{
    int most = 0;
    for (int i = 0; i < count; ++i)
        if (descs[i].length > most)
            most = descs[i].length;
    return most;
}

cudaError_t enqueue(fb_slot* slot, const fb_desc* descs, int count, cudaStream_t stream)
{
    const size_t bytes = count * sizeof(fb_desc);
    memcpy(slot->host, descs, bytes);
    cudaError_t rc = cudaMemcpyAsync(slot->dev, slot->host, bytes, cudaMemcpyHostToDevice, stream);
    if (rc != cudaSuccess)
        return rc;
    int blocks = (longest(descs, count) + kThreads - 1) / kThreads;
    if (blocks > 256)
        blocks = 256;
    filter_batch<<<dim3(blocks > 0 ? blocks : 1, count), kThreads, 0, stream>>>(slot->dev);
    return cudaGetLastError();
}

}  // namespace

extern "C" fb_status fb_create(fb_handle* out)
{
    if (!out)
        return FB_BAD_VALUE;
    fb_handle handle = new (std::nothrow) fb_handle_s();
    if (!handle)
        return FB_NO_MEMORY;
    const cudaError_t rc = fb_slots_init(&handle->slots);
    if (rc != cudaSuccess) {
        fb_slots_fini(&handle->slots);
        delete handle;
        return rc == cudaErrorMemoryAllocation ? FB_NO_MEMORY : FB_CUDA;
    }
    *out = handle;
    return FB_OK;
}

extern "C" fb_status fb_destroy(fb_handle handle)
{
    if (!handle)
        return FB_OK;
    fb_slots_fini(&handle->slots);
    delete handle;
    return FB_OK;
}

extern "C" fb_status fb_execute(fb_handle handle, const fb_desc* descs, int count, cudaStream_t stream)
{
    if (!handle || !descs || count < 0 || count > FB_MAX_BATCH)
        return FB_BAD_VALUE;
    if (count == 0)
        return FB_OK;

    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cudaError_t rc = cudaStreamIsCapturing(stream, &capture);
    if (rc != cudaSuccess)
        return settle_status(handle, rc);
    const int recording = capture == cudaStreamCaptureStatusActive;

    fb_slot* slot = nullptr;
    rc = fb_slots_take(&handle->slots, &slot);
    if (rc == cudaSuccess)
        rc = enqueue(slot, descs, count, stream);
    if (rc == cudaSuccess)
        rc = fb_slots_put(&handle->slots, slot, recording, stream);
    return settle_status(handle, rc);
}

extern "C" cudaError_t fb_last_cuda_error(fb_handle handle)
{
    return handle ? handle->last : cudaErrorInvalidValue;
}

extern "C" const char* fb_status_name(fb_status status)
{
    switch (status) {
    case FB_OK: return "FB_OK";
    case FB_BAD_VALUE: return "FB_BAD_VALUE";
    case FB_NO_MEMORY: return "FB_NO_MEMORY";
    default: return "FB_CUDA";
    }
}
