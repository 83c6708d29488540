#include "codec.h"

#include <cuda_runtime.h>

#include <new>

struct codec_meter {
    cudaEvent_t first = nullptr;
    cudaEvent_t last = nullptr;
};

#define TRY(x)                                    \
    do {                                          \
        const cudaError_t e_ = (x);               \
        if (e_ != cudaSuccess) return (int)e_;    \
    } while (0)

int codec_meter_create(codec_session*, codec_meter** out)
{
    codec_meter* m = new (std::nothrow) codec_meter;
    if (!m) return (int)cudaErrorMemoryAllocation;
    *out = m;
    TRY(cudaEventCreate(&m->first));
    TRY(cudaEventCreate(&m->last));
    return 0;
}

int codec_meter_destroy(codec_meter* m)
{
    TRY(cudaEventDestroy(m->last));
    TRY(cudaEventDestroy(m->first));
    delete m;
    return 0;
}

int codec_meter_begin(codec_meter* m)
{
    TRY(cudaEventRecord(m->first, cudaStreamLegacy));
    return 0;
}

int codec_meter_end(codec_meter* m, float* milliseconds)
{
    TRY(cudaEventRecord(m->last, cudaStreamLegacy));
    TRY(cudaEventSynchronize(m->last));
    TRY(cudaEventElapsedTime(milliseconds, m->first, m->last));
    return 0;
}
