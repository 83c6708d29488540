/* Two-dimensional explicit heat conduction on a periodic grid, with a
 * checkpoint every CKPT_EVERY steps. */
#include "ckpt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 128
#define NY 128
#define STEPS 30
#define CKPT_EVERY 6
#define KAPPA 0.2

__global__ static void heat_step(const double *a, double *b)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= NX || y >= NY)
        return;
    int xm = (x + NX - 1) % NX, xp = (x + 1) % NX;
    int ym = (y + NY - 1) % NY, yp = (y + 1) % NY;
    double c = a[y * NX + x];
    b[y * NX + x] = c + KAPPA * (a[y * NX + xm] + a[y * NX + xp] + a[ym * NX + x] + a[yp * NX + x] - 4.0 * c);
}

static void cpu_step(const double *a, double *b)
{
    for (int y = 0; y < NY; ++y)
        for (int x = 0; x < NX; ++x) {
            int xm = (x + NX - 1) % NX, xp = (x + 1) % NX;
            int ym = (y + NY - 1) % NY, yp = (y + 1) % NY;
            double c = a[y * NX + x];
            b[y * NX + x] =
                c + KAPPA * (a[y * NX + xm] + a[y * NX + xp] + a[ym * NX + x] + a[yp * NX + x] - 4.0 * c);
        }
}

static void initial(double *u)
{
    unsigned s = 12345u;
    for (int i = 0; i < NX * NY; ++i) {
        s = s * 1664525u + 1013904223u;
        u[i] = (double)(s >> 8) / 16777216.0 * 10.0;
    }
}

int main(void)
{
    const size_t bytes = (size_t)NX * NY * sizeof(double);
    double *h = (double *)malloc(bytes), *h2 = (double *)malloc(bytes);
    double *cur, *next;
    cudaStream_t solver;

    initial(h);
    CK(cudaMalloc((void **)&cur, bytes));
    CK(cudaMalloc((void **)&next, bytes));
    CK(cudaStreamCreateWithFlags(&solver, cudaStreamNonBlocking));
    CK(cudaMemcpy(cur, h, bytes, cudaMemcpyHostToDevice));
    CK(cudaDeviceSynchronize());
    ckpt_ctx *ck = ckpt_open(NX * NY, STEPS / CKPT_EVERY);

    const dim3 block(32, 8), grid(NX / 32, NY / 8);
    for (int step = 1; step <= STEPS; ++step) {
        heat_step<<<grid, block, 0, solver>>>(cur, next);
        CK(cudaGetLastError());
        double *t = cur;
        cur = next;
        next = t;
        if (step % CKPT_EVERY == 0)
            ckpt_snapshot(ck, cur, step, solver);
    }
    CK(cudaStreamSynchronize(solver));
    ckpt_flush(ck);

    long wrong = 0;
    int f = 0;
    for (int step = 1; step <= STEPS; ++step) {
        cpu_step(h, h2);
        double *t = h;
        h = h2;
        h2 = t;
        if (f < ck->n_files && ck->file[f].step == step) {
            long bad = 0;
            for (int i = 0; i < NX * NY; ++i)
                if (!(fabs(ck->file[f].data[i] - 2.0 * h[i]) < 1e-4))
                    ++bad;
            printf("checkpoint %d (step %d): %ld cells differ\n", f, step, bad);
            wrong += bad;
            ++f;
        }
    }
    if (f != STEPS / CKPT_EVERY)
        ++wrong;

    ckpt_close(ck);
    CK(cudaFree(cur));
    CK(cudaFree(next));
    CK(cudaStreamDestroy(solver));
    free(h);
    free(h2);
    if (wrong)
        printf("WRONG %ld\n", wrong);
    else
        printf("DONE\n");
    return 0;
}
