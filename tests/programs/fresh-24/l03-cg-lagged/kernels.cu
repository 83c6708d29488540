#include "cg.h"

#define TPB 256
#define GRID 48

__device__ static void block_add(double v, double *out)
{
    __shared__ double part[TPB / 32];
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_down_sync(0xffffffffu, v, o);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        double s = 0;
        for (int i = 0; i < TPB / 32; i++)
            s += part[i];
        atomicAdd(out, s);
    }
}

#define EACH(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += gridDim.x * blockDim.x)

__global__ static void tri_apply(const double *p, double *q, double *pq, int n, double diag, double off)
{
    double acc = 0;
    EACH(i, n) {
        double v = diag * p[i];
        if (i > 0)
            v += off * p[i - 1];
        if (i + 1 < n)
            v += off * p[i + 1];
        q[i] = v;
        acc += v * p[i];
    }
    block_add(acc, pq);
}

__global__ static void start(const double *b, double *x, double *r, double *p, double *rr, int n)
{
    double acc = 0;
    EACH(i, n) {
        x[i] = 0;
        r[i] = p[i] = b[i];
        acc += b[i] * b[i];
    }
    block_add(acc, rr);
}

__global__ static void update(double *x, double *r, const double *p, const double *q, const double *rr,
                              const double *pq, double *rr_next, int n)
{
    double alpha = *rr / *pq, acc = 0;
    EACH(i, n) {
        x[i] += alpha * p[i];
        double v = r[i] - alpha * q[i];
        r[i] = v;
        acc += v * v;
    }
    block_add(acc, rr_next);
}

__global__ static void direction(const double *r, double *p, const double *rr, const double *rr_next,
                                 double *rr_clear, double *pq_clear, int n)
{
    double beta = *rr_next / *rr;
    EACH(i, n)
        p[i] = r[i] + beta * p[i];
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *rr_clear = 0;
        *pq_clear = 0;
    }
}

static void stencil_apply(const linop *op, const double *p, double *q, double *pq, cudaStream_t s)
{
    tri_apply<<<GRID, TPB, 0, s>>>(p, q, pq, op->n, op->diag, op->off);
    TRY(cudaGetLastError());
}

linop stencil_op(int n, double diag, double off)
{
    linop op = {n, diag, off, stencil_apply};
    return op;
}

void cg_launch_start(const linop *op, cg_work *w, const double *b)
{
    int n = op->n;
    start<<<GRID, TPB, 0, w->solve>>>(b, w->vec, w->vec + n, w->vec + 2 * n, w->rr, n);
    TRY(cudaGetLastError());
}

void cg_launch_update(const linop *op, cg_work *w, int k)
{
    int n = op->n;
    update<<<GRID, TPB, 0, w->solve>>>(w->vec, w->vec + n, w->vec + 2 * n, w->vec + 3 * n, w->rr + k % 3,
                                       w->pq + k % 3, w->rr + (k + 1) % 3, n);
    TRY(cudaGetLastError());
}

void cg_launch_direction(const linop *op, cg_work *w, int k)
{
    int n = op->n;
    direction<<<GRID, TPB, 0, w->solve>>>(w->vec + n, w->vec + 2 * n, w->rr + k % 3, w->rr + (k + 1) % 3,
                                          w->rr + (k + 2) % 3, w->pq + (k + 1) % 3, n);
    TRY(cudaGetLastError());
}
