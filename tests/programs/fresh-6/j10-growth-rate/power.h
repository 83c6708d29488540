#pragma once
#include <cuda_runtime.h>
#include <stddef.h>

/* Dominant growth rate of a tridiagonal population model by power iteration. */
typedef struct pw_solver pw_solver;

typedef struct {
    int n;
    int iterations;
    float diag;
    float coupling;
} pw_config;

typedef enum { PW_OK = 0, PW_CUDA, PW_NOMEM } pw_status;

pw_status pw_create(const pw_config *cfg, pw_solver **out);
pw_status pw_run(pw_solver *s, float *x_host, float *rate);
void pw_destroy(pw_solver *s);
cudaError_t pw_cuda_error(void);

/* vecops.cu: asynchronous vector operations with caller-owned scratch */
typedef struct {
    void *tmp;
    size_t tmp_bytes;
    cudaStream_t stream;
} vec_ctx;

cudaError_t vec_open(vec_ctx *v, int n, cudaStream_t stream);
cudaError_t vec_sum(vec_ctx *v, const float *x, float *result, int n);
cudaError_t vec_divide(vec_ctx *v, float *x, const float *y, const float *by, int n);
cudaError_t vec_tridiag(vec_ctx *v, const float *x, float *y, int n, float diag, float coupling);
cudaError_t vec_close(vec_ctx *v);
