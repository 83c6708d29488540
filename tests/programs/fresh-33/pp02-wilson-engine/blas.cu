/* blas.cu - vector operations on the stream `st` */
#include "lattice.h"
#define EACH(i, n) int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n)
#define GRID(n) (((n) + 255) / 256), 256, 0, st

static cudaStream_t st;
static double      *dot_dev;
static double      *bounce;             /* page locked */

__global__ void k_fill(double *x, double a, int n) {
    EACH(i, n) x[i] = a;
}

__global__ void k_source(double *b, int seed, int n) {
    EACH(i, n) b[i] = (double)((i * 37 + seed * 11) % 101) / 101.0 - 0.5;
}

__global__ void k_axpy(double *y, double a, const double *x, int n) {
    EACH(i, n) y[i] += a * x[i];
}

__global__ void k_xpay(double *y, const double *x, double a, int n) {
    EACH(i, n) y[i] = x[i] + a * y[i];
}

__global__ void k_dot(double *out, const double *x, const double *y, int n) {
    __shared__ double part[256];
    double s = 0.0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s += x[i] * y[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int w = 128; w > 0; w >>= 1) {
        if ((int)threadIdx.x < w)
            part[threadIdx.x] += part[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = part[0];
}

static void finish(void) {
    LQ(cudaGetLastError());
    LQ(cudaStreamSynchronize(st));
}

static void b_fill(double *x, double a, int n)          { k_fill<<<GRID(n)>>>(x, a, n); finish(); }
static void b_source(double *b, int seed, int n)        { k_source<<<GRID(n)>>>(b, seed, n); finish(); }
static void b_axpy(double *y, double a, const double *x, int n) { k_axpy<<<GRID(n)>>>(y, a, x, n); finish(); }
static void b_xpay(double *y, const double *x, double a, int n) { k_xpay<<<GRID(n)>>>(y, x, a, n); finish(); }

static double b_dot(const double *x, const double *y, int n) {
    k_dot<<<1, 256, 0, st>>>(dot_dev, x, y, n);
    LQ(cudaMemcpyAsync(bounce, dot_dev, sizeof(double), cudaMemcpyDeviceToHost, st));
    finish();
    return *bounce;
}

struct blas_ops blas = { b_fill, b_source, b_axpy, b_xpay, b_dot };

void blas_attach(void) {
    LQ(cudaStreamCreateWithFlags(&st, cudaStreamNonBlocking));
    LQ(cudaMalloc(&dot_dev, sizeof(double)));
    LQ(cudaMallocHost(&bounce, sizeof(double)));
    double *x, *y;
    LQ(cudaMalloc(&x, 512 * sizeof(double)));
    LQ(cudaMalloc(&y, 512 * sizeof(double)));
    blas.source(x, 1, 512);
    blas.fill(x, 2.0, 512);
    blas.fill(y, 2.0, 512);
    blas.axpy(y, 1.0, x, 512);
    blas.xpay(y, x, 0.5, 512);
    if (blas.dot(x, y, 512) != 512 * 8.0)
        fprintf(stderr, "blas self test failed\n");
    LQ(cudaFree(x));
    LQ(cudaFree(y));
}
