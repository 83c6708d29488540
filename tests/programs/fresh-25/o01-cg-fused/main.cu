#include "cg.cuh"
#include "check.h"

#include <math.h>

static double *new_vector(size_t n)
{
    double *p = NULL;
    CK(cudaMalloc((void **)&p, n * sizeof(double)));
    CK(cudaMemset(p, 0, n * sizeof(double)));
    return p;
}

/* Right-hand side for which the solution is one everywhere. */
static void fill_rhs(double *b, int nx, int ny, double shift)
{
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            int nb = (x > 0) + (x < nx - 1) + (y > 0) + (y < ny - 1);
            b[(size_t)y * nx + x] = 4.0 + shift - nb;
        }
}

int main(void)
{
    const int nx = 1024, ny = 1024;
    const size_t n = (size_t)nx * ny;
    const double shift = 1.0;

    cudaStream_t stream;
    CK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    double *host = (double *)malloc(n * sizeof(double));
    fill_rhs(host, nx, ny, shift);

    int blocks = (int)((n + CG_THREADS - 1) / CG_THREADS);

    cg_args_t a;
    a.nx = nx;
    a.ny = ny;
    a.iterations = 60;
    a.shift = shift;
    a.x = new_vector(n);
    a.r = new_vector(n);
    a.p = new_vector(n);
    a.ap = new_vector(n);
    a.part_pap = new_vector(blocks);
    a.part_rr = new_vector(blocks);
    a.residual = new_vector(1);
    CK(cudaMalloc((void **)&a.bar, sizeof(cg_barrier_t)));
    CK(cudaMemset(a.bar, 0, sizeof(cg_barrier_t)));
    CK(cudaMemcpy(a.r, host, n * sizeof(double), cudaMemcpyHostToDevice));
    CK(cudaMemcpy(a.p, host, n * sizeof(double), cudaMemcpyHostToDevice));
    CK(cudaDeviceSynchronize());

    cg_solve<<<blocks, CG_THREADS, 0, stream>>>(a);
    CK(cudaGetLastError());
    CK(cudaStreamSynchronize(stream));

    double residual = 0.0;
    CK(cudaMemcpy(&residual, a.residual, sizeof residual, cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(host, a.x, n * sizeof(double), cudaMemcpyDeviceToHost));
    printf("grid %d x %d, %d blocks, |r|^2 = %.3e\n", nx, ny, blocks, residual);

    long bad = 0;
    for (size_t i = 0; i < n; ++i)
        if (!(fabs(host[i] - 1.0) < 1e-6)) ++bad;

    cudaFree(a.x);
    cudaFree(a.r);
    cudaFree(a.p);
    cudaFree(a.ap);
    cudaFree(a.part_pap);
    cudaFree(a.part_rr);
    cudaFree(a.residual);
    cudaFree(a.bar);
    cudaStreamDestroy(stream);
    free(host);

    if (bad) printf("WRONG %ld\n", bad);
    else printf("DONE\n");
    return bad != 0;
}
