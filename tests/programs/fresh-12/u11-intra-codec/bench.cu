#include "encoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WARMUP = 4, FRAMES = 40 };

static double now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return 1e3 * (double)ts.tv_sec + 1e-6 * (double)ts.tv_nsec;
}

/* Steady-state milliseconds per frame; *next is the number of the next frame. */
static cudaError_t bench_device(struct encoder *enc, unsigned *next, float *per_frame)
{
    cudaEvent_t begin, end;
    cudaError_t rc = cudaEventCreate(&begin);
    if (rc != cudaSuccess) return rc;
    rc = cudaEventCreate(&end);
    if (rc != cudaSuccess) return rc;

    for (int f = 0; f < WARMUP + FRAMES && rc == cudaSuccess; f++) {
        if (f == WARMUP) rc = cudaEventRecord(begin, enc->control);
        if (rc == cudaSuccess) rc = encoder_frame(enc, (*next)++);
    }
    if (rc == cudaSuccess) rc = cudaEventRecord(end, enc->control);
    if (rc == cudaSuccess) rc = cudaEventSynchronize(end);
    if (rc == cudaSuccess) rc = cudaEventElapsedTime(per_frame, begin, end);
    *per_frame /= FRAMES;
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return rc;
}

static cudaError_t bench_wall(struct encoder *enc, unsigned *next, double *per_frame)
{
    cudaError_t rc = cudaDeviceSynchronize();
    const double t0 = now_ms();
    for (int f = 0; f < FRAMES && rc == cudaSuccess; f++) rc = encoder_frame(enc, (*next)++);
    if (rc == cudaSuccess) rc = cudaDeviceSynchronize();
    *per_frame = (now_ms() - t0) / FRAMES;
    return rc;
}

static cudaError_t verify(struct encoder *enc, unsigned frames, long *wrong)
{
    unsigned *got = (unsigned *)malloc(ENC_COEFFS * sizeof(unsigned));
    cudaError_t rc = cudaSuccess;
    *wrong = 0;
    for (int l = 0; l < ENC_LANES && rc == cudaSuccess; l++) {
        rc = encoder_fetch(enc, l, got);
        if (rc != cudaSuccess) break;
        for (unsigned i = 0; i < ENC_COEFFS; i++) {
            unsigned want = 0;
            for (unsigned f = 0; f < frames; f++) want = want * 31u + (f + 7u * (unsigned)l) + i;
            if (got[i] != want) ++*wrong;
        }
    }
    free(got);
    return rc;
}

int main(void)
{
    struct encoder enc;
    unsigned next = 0;
    float device_ms = 0;
    double wall_ms = 0, ratio;
    long wrong = 0;

    cudaError_t rc = encoder_open(&enc);
    if (rc == cudaSuccess) rc = bench_device(&enc, &next, &device_ms);
    if (rc == cudaSuccess) rc = bench_wall(&enc, &next, &wall_ms);
    if (rc == cudaSuccess) rc = verify(&enc, next, &wrong);
    encoder_close(&enc);

    ratio = device_ms > wall_ms ? device_ms / wall_ms : wall_ms / device_ms;
    fprintf(stderr, "%.3f ms per frame, %.1f frames/s\n", device_ms, 1e3 / device_ms);
    if (rc != cudaSuccess)
        printf("ERROR %s\n", cudaGetErrorName(rc));
    else if (wrong)
        printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        printf("SLOW %.2f\n", ratio);
    else
        printf("DONE\n");
    return 0;
}
