#ifndef FRAME_CODEC_H
#define FRAME_CODEC_H
/* Frame codec on two driver streams; stages hand frames over with device counters. */

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#define CODEC_DEPTH 3

typedef enum {
    STEP_CREDIT,
    STEP_DECODE,
    STEP_FILTER,
    STEP_EXPORT,
    STEP_END
} codec_step;

typedef struct {
    CUcontext ctx;
    CUdevice dev;
    CUmodule module;
    CUfunction decode, filter, pack;
    CUstream io;         /* decode and export */
    CUstream compute;    /* filter */
    CUdeviceptr raw[CODEC_DEPTH];
    CUdeviceptr flt[CODEC_DEPTH];
    CUdeviceptr output;  /* all frames */
    CUdeviceptr ready;   /* counters, one word each */
    CUdeviceptr filtered;
    CUdeviceptr released;
    unsigned pixels;
    unsigned frames;
} codec;

#define DR(expr) codec_check((expr))

static inline void codec_check(CUresult rc)
{
    if (rc != CUDA_SUCCESS) {
        const char *name = "unknown";
        cuGetErrorName(rc, &name);
        printf("ERROR %s\n", name);
        exit(1);
    }
}

void codec_open(codec *c, unsigned pixels, unsigned frames);
void codec_frame(codec *c, unsigned frame);
void codec_flush(codec *c);
void codec_read(codec *c, unsigned *dst);
void codec_close(codec *c);

extern const char *const codec_ptx;

#endif
