#include "kry.h"

#include <atomic>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kry_fail(cudaError_t e)
{
    printf("ERROR %s\n", cudaGetErrorName(e));
    exit(1);
}

__global__ void kry_executor(volatile kry_mailbox *mb, unsigned seq)
{
    __shared__ int op, n;
    __shared__ double alpha;
    __shared__ double *xs, *ys;

    for (;;) {
        if (threadIdx.x == 0) {
            while (mb->doorbell == seq)
                __nanosleep(400);
            __threadfence_system();
            op = mb->op;
            n = mb->n;
            alpha = mb->alpha;
            xs = mb->x;
            ys = mb->y;
        }
        __syncthreads();
        ++seq;
        volatile double *x = xs;
        volatile double *y = ys;
        const int my_op = op;
        if (my_op == KRY_OP_JACOBI) {
            for (int i = threadIdx.x; i < n; i += blockDim.x) {
                double l = i > 0 ? x[i - 1] : 0.0;
                double r = i + 1 < n ? x[i + 1] : 0.0;
                y[i] = 0.25 * l + 0.5 * x[i] + 0.25 * r;
            }
        } else if (my_op == KRY_OP_AXPY) {
            for (int i = threadIdx.x; i < n; i += blockDim.x)
                x[i] = x[i] + alpha * y[i];
        } else if (my_op == KRY_OP_SCALE) {
            for (int i = threadIdx.x; i < n; i += blockDim.x)
                x[i] = x[i] * alpha;
        }
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0)
            mb->completed = seq;
        if (my_op == KRY_OP_QUIT)
            return;
    }
}

static void post(kry_ctx *c, int op, int n, double alpha, double *x, double *y)
{
    volatile kry_mailbox *mb = c->mb_host;
    mb->op = op;
    mb->n = n;
    mb->alpha = alpha;
    mb->x = x;
    mb->y = y;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    mb->doorbell = ++c->seq;
    while (mb->completed != c->seq)
        sched_yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

static void executor_start(kry_ctx *c)
{
    kry_executor<<<1, 256, 0, c->exec_stream>>>(c->mb_dev, c->seq);
    KRY_CALL(cudaGetLastError());
}

static void executor_stop(kry_ctx *c)
{
    post(c, KRY_OP_QUIT, 0, 0.0, NULL, NULL);
    KRY_CALL(cudaStreamSynchronize(c->exec_stream));
}

int kry_create(kry_ctx **out, size_t n_initial, size_t n_max)
{
    kry_ctx *c = (kry_ctx *)calloc(1, sizeof *c);
    if (!c)
        return -1;
    KRY_CALL(cudaStreamCreateWithFlags(&c->exec_stream, cudaStreamNonBlocking));
    KRY_CALL(cudaStreamCreateWithFlags(&c->copy_stream, cudaStreamNonBlocking));
    KRY_CALL(cudaHostAlloc((void **)&c->mb_host, sizeof(kry_mailbox), cudaHostAllocMapped));
    memset(c->mb_host, 0, sizeof(kry_mailbox));
    KRY_CALL(cudaHostGetDevicePointer((void **)&c->mb_dev, c->mb_host, 0));
    KRY_CALL(cudaHostAlloc((void **)&c->bounce, n_max * sizeof(double), cudaHostAllocDefault));
    c->bounce_cap = n_max;
    KRY_CALL(cudaMalloc((void **)&c->x, n_initial * sizeof(double)));
    KRY_CALL(cudaMalloc((void **)&c->y, n_initial * sizeof(double)));
    c->n_cap = n_initial;
    executor_start(c);
    *out = c;
    return 0;
}

/* Grow the workspace to at least n entries; contents are not preserved. */
int kry_reserve(kry_ctx *c, size_t n)
{
    if (n > c->bounce_cap)
        return -1;
    if (n <= c->n_cap)
        return 0;
    executor_stop(c);
    KRY_CALL(cudaFree(c->x));
    KRY_CALL(cudaFree(c->y));
    KRY_CALL(cudaMalloc((void **)&c->x, n * sizeof(double)));
    KRY_CALL(cudaMalloc((void **)&c->y, n * sizeof(double)));
    c->n_cap = n;
    executor_start(c);
    return 0;
}

int kry_upload(kry_ctx *c, const double *src, size_t n)
{
    if (n > c->n_cap)
        return -1;
    memcpy(c->bounce, src, n * sizeof(double));
    KRY_CALL(cudaMemcpyAsync(c->x, c->bounce, n * sizeof(double), cudaMemcpyHostToDevice, c->copy_stream));
    KRY_CALL(cudaStreamSynchronize(c->copy_stream));
    return 0;
}

int kry_download(kry_ctx *c, double *dst, size_t n)
{
    if (n > c->n_cap)
        return -1;
    KRY_CALL(cudaMemcpyAsync(c->bounce, c->x, n * sizeof(double), cudaMemcpyDeviceToHost, c->copy_stream));
    KRY_CALL(cudaStreamSynchronize(c->copy_stream));
    memcpy(dst, c->bounce, n * sizeof(double));
    return 0;
}

void kry_jacobi(kry_ctx *c, int n, int sweeps)
{
    for (int s = 0; s < sweeps; ++s) {
        post(c, KRY_OP_JACOBI, n, 0.0, c->x, c->y);
        double *t = c->x;
        c->x = c->y;
        c->y = t;
    }
}

void kry_axpy(kry_ctx *c, int n, double alpha) { post(c, KRY_OP_AXPY, n, alpha, c->x, c->y); }
void kry_scale(kry_ctx *c, int n, double alpha) { post(c, KRY_OP_SCALE, n, alpha, c->x, c->y); }

int kry_destroy(kry_ctx *c)
{
    executor_stop(c);
    KRY_CALL(cudaFree(c->x));
    KRY_CALL(cudaFree(c->y));
    KRY_CALL(cudaFreeHost(c->bounce));
    KRY_CALL(cudaFreeHost(c->mb_host));
    KRY_CALL(cudaStreamDestroy(c->exec_stream));
    KRY_CALL(cudaStreamDestroy(c->copy_stream));
    free(c);
    return 0;
}
