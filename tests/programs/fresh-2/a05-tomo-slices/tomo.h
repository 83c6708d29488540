#ifndef TOMO_H
#define TOMO_H

#include <cuda_runtime.h>

#define TOMO_TAPS 33
#define TOMO_ROWS 128
#define TOMO_COLS 512
#define TOMO_SLICES 6
#define TOMO_LANES 2

#define TOMO_TRY(call)                                          \
    do {                                                        \
        cudaError_t rc_ = (call);                               \
        if (rc_ != cudaSuccess) return rc_;                     \
    } while (0)

typedef struct tomo_lane {
    cudaStream_t stream;
    float *d_sino;
    float *d_flt;
} tomo_lane;

typedef struct tomo_ctx {
    float *d_taps;
    float *h_sino; /* pinned, all slices */
    float *h_out;  /* pinned, all slices */
    tomo_lane lane[TOMO_LANES];
} tomo_ctx;

cudaError_t tomo_open(tomo_ctx *ctx);
cudaError_t tomo_close(tomo_ctx *ctx);
cudaError_t tomo_prepare_taps(tomo_ctx *ctx, float cutoff);
cudaError_t tomo_filter_slice(tomo_ctx *ctx, int slice);
cudaError_t tomo_drain(tomo_ctx *ctx);

float tomo_tap_value(int k, float cutoff);

#endif
