/* Asynchronous checkpoint writer. A snapshot converts a double-precision
 * field to the on-disk format (scaled single precision) on the I/O
 * stream and brings it to page-locked memory. */
#ifndef CKPT_H
#define CKPT_H

#include <cuda_runtime.h>

typedef struct ckpt_file {
    float *data;       /* page-locked */
    int step;
} ckpt_file;

typedef struct ckpt_ctx {
    cudaStream_t io;
    cudaEvent_t ready;
    cudaEvent_t taken;
    float *packed;     /* device */
    int n;
    int max_files;
    int n_files;
    ckpt_file *file;
} ckpt_ctx;

void ck_die(cudaError_t e);
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) ck_die(e_); } while (0)

ckpt_ctx *ckpt_open(int n, int max_files);
int ckpt_snapshot(ckpt_ctx *c, const double *field, int step, cudaStream_t producer);
void ckpt_flush(ckpt_ctx *c);
void ckpt_close(ckpt_ctx *c);

#endif
