#include "encoder.h"

#include <string.h>

#define TRY(call)                          \
    do {                                   \
        rc = (call);                       \
        if (rc != cudaSuccess) goto done;  \
    } while (0)

/* Transform and rate control of a plane: three milliseconds. */
static __global__ void encode_plane(unsigned *coeffs, int n, unsigned frame)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < 3000000ull);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        coeffs[i] = coeffs[i] * 31u + frame + (unsigned)i;
}

cudaError_t encoder_open(struct encoder *enc)
{
    cudaError_t rc;
    int i;
    memset(enc, 0, sizeof *enc);
    TRY(cudaStreamCreateWithFlags(&enc->control, cudaStreamNonBlocking));
    TRY(cudaEventCreateWithFlags(&enc->opened, cudaEventDisableTiming));
    for (i = 0; i < ENC_LANES; i++) {
        TRY(cudaStreamCreateWithFlags(&enc->lane[i], cudaStreamNonBlocking));
        TRY(cudaEventCreateWithFlags(&enc->sealed[i], cudaEventDisableTiming));
        TRY(cudaMalloc((void **)&enc->plane[i], ENC_COEFFS * sizeof(unsigned)));
        TRY(cudaMemsetAsync(enc->plane[i], 0, ENC_COEFFS * sizeof(unsigned), enc->control));
    }
done:
    return rc;
}

cudaError_t encoder_frame(struct encoder *enc, unsigned frame)
{
    cudaError_t rc;
    int i;
    TRY(cudaEventRecord(enc->opened, enc->control));
    for (i = 0; i < ENC_LANES; i++) {
        TRY(cudaStreamWaitEvent(enc->lane[i], enc->opened, 0));
        encode_plane<<<8, 128, 0, enc->lane[i]>>>(enc->plane[i], ENC_COEFFS, frame + 7u * (unsigned)i);
        TRY(cudaGetLastError());
        TRY(cudaEventRecord(enc->sealed[i], enc->lane[i]));
    }
    for (i = 0; i < ENC_LANES; i++) TRY(cudaStreamWaitEvent(enc->control, enc->sealed[i], 0));
done:
    return rc;
}

cudaError_t encoder_fetch(struct encoder *enc, int lane, unsigned *out)
{
    cudaError_t rc;
    TRY(cudaMemcpyAsync(out, enc->plane[lane], ENC_COEFFS * sizeof(unsigned), cudaMemcpyDeviceToHost,
                        enc->control));
    TRY(cudaStreamSynchronize(enc->control));
done:
    return rc;
}

void encoder_close(struct encoder *enc)
{
    int i;
    for (i = 0; i < ENC_LANES; i++) {
        cudaFree(enc->plane[i]);
        if (enc->sealed[i]) cudaEventDestroy(enc->sealed[i]);
        if (enc->lane[i]) cudaStreamDestroy(enc->lane[i]);
    }
    if (enc->opened) cudaEventDestroy(enc->opened);
    if (enc->control) cudaStreamDestroy(enc->control);
}
