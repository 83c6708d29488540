#include "tomo.h"

#include <math.h>
#include <stdio.h>

static long verify(const tomo_ctx *ctx, float cutoff)
{
    long wrong = 0;
    const size_t n = (size_t)TOMO_ROWS * TOMO_COLS;
    float taps[TOMO_TAPS];
    for (int k = 0; k < TOMO_TAPS; ++k) taps[k] = tomo_tap_value(k, cutoff);
    for (int s = 0; s < TOMO_SLICES; ++s) {
        for (int r = 0; r < TOMO_ROWS; r += 8) {
            const float *in = ctx->h_sino + s * n + (size_t)r * TOMO_COLS;
            const float *out = ctx->h_out + s * n + (size_t)r * TOMO_COLS;
            for (int c = 0; c < TOMO_COLS; ++c) {
                float ref = 0.0f;
                for (int k = 0; k < TOMO_TAPS; ++k) {
                    int x = c + k - TOMO_TAPS / 2;
                    if (x >= 0 && x < TOMO_COLS) ref += taps[k] * in[x];
                }
                if (fabsf(ref - out[c]) > 1e-3f) ++wrong;
            }
        }
    }
    return wrong;
}

static cudaError_t reconstruct(tomo_ctx *ctx, float cutoff)
{
    TOMO_TRY(tomo_prepare_taps(ctx, cutoff));
    for (int s = 0; s < TOMO_SLICES; ++s) TOMO_TRY(tomo_filter_slice(ctx, s));
    return tomo_drain(ctx);
}

int main(void)
{
    tomo_ctx ctx;
    const float cutoff = 0.8f;
    cudaError_t rc = tomo_open(&ctx);
    if (rc == cudaSuccess) {
        const size_t n = (size_t)TOMO_SLICES * TOMO_ROWS * TOMO_COLS;
        for (size_t i = 0; i < n; ++i) {
            ctx.h_sino[i] = 1.0f + (float)((i * 7919u) % 101u) / 25.0f;
            ctx.h_out[i] = -1.0f;
        }
        rc = reconstruct(&ctx, cutoff);
    }
    long wrong = rc == cudaSuccess ? verify(&ctx, cutoff) : 0;
    if (rc == cudaSuccess) rc = tomo_close(&ctx);
    if (rc != cudaSuccess) {
        printf("ERROR %s\n", cudaGetErrorName(rc));
        return 2;
    }
    if (wrong)
        printf("WRONG %ld\n", wrong);
    else
        printf("DONE\n");
    return wrong != 0;
}
