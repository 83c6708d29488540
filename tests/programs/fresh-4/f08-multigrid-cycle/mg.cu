#include "mg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mg_abort(cudaError_t e)
{
    printf("ERROR %s\n", cudaGetErrorName(e));
    exit(1);
}

__global__ static void apply_operator(const double *coef, const double *u, double *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double west = i > 0 ? u[i - 1] : 0.0;
        double east = i + 1 < n ? u[i + 1] : 0.0;
        w[i] = coef[0] * west + coef[1] * u[i] + coef[2] * east;
    }
}

__global__ static void accept(const double *w, double *u, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        u[i] = w[i];
}

void mg_setup(mg_ctx *mg, int n_finest, int n_levels, double dt)
{
    memset(mg, 0, sizeof *mg);
    mg->n_levels = n_levels;
    mg->dt = dt;
    MG(cudaStreamCreateWithFlags(&mg->stream, cudaStreamNonBlocking));
    for (int l = 0; l < n_levels; ++l) {
        mg_level *lv = &mg->level[l];
        lv->n = n_finest >> l;
        lv->h = 1.0 / lv->n;
        MG(cudaMalloc((void **)&lv->u, lv->n * sizeof(double)));
        MG(cudaMalloc((void **)&lv->w, lv->n * sizeof(double)));
        MG(cudaMalloc((void **)&lv->coef, 3 * sizeof(double)));
        double *init = (double *)malloc(lv->n * sizeof(double));
        for (int i = 0; i < lv->n; ++i)
            init[i] = sin(6.0 * i * lv->h) + 0.2 * (i % 5);
        MG(cudaMemcpy(lv->u, init, lv->n * sizeof(double), cudaMemcpyHostToDevice));
        free(init);
    }
    MG(cudaDeviceSynchronize());
}

/* Implicitness-weighted diffusion with a level dependent drift. */
void mg_level_operator(const mg_ctx *mg, int l, double *coef)
{
    const double lambda = mg->dt * (1.0 + l);
    coef[0] = lambda * 0.6;
    coef[1] = 1.0 - lambda;
    coef[2] = lambda * 0.4;
}

void mg_enqueue_cycle(mg_ctx *mg)
{
    for (int l = 0; l < mg->n_levels; ++l) {
        mg_level *lv = &mg->level[l];
        const int blocks = (lv->n + 127) / 128;
        mg_level_operator(mg, l, mg->coef);
        MG(cudaMemcpyAsync(lv->coef, mg->coef, sizeof mg->coef, cudaMemcpyHostToDevice, mg->stream));
        apply_operator<<<blocks, 128, 0, mg->stream>>>(lv->coef, lv->u, lv->w, lv->n);
        accept<<<blocks, 128, 0, mg->stream>>>(lv->w, lv->u, lv->n);
        MG(cudaGetLastError());
    }
}

void mg_record(mg_ctx *mg)
{
    MG(cudaStreamBeginCapture(mg->stream, cudaStreamCaptureModeThreadLocal));
    mg_enqueue_cycle(mg);
    MG(cudaStreamEndCapture(mg->stream, &mg->graph));
    MG(cudaGraphInstantiate(&mg->exec, mg->graph, 0));
}

void mg_replay(mg_ctx *mg, int cycles)
{
    for (int c = 0; c < cycles; ++c)
        MG(cudaGraphLaunch(mg->exec, mg->stream));
    MG(cudaStreamSynchronize(mg->stream));
}

void mg_teardown(mg_ctx *mg)
{
    MG(cudaGraphExecDestroy(mg->exec));
    MG(cudaGraphDestroy(mg->graph));
    for (int l = 0; l < mg->n_levels; ++l) {
        MG(cudaFree(mg->level[l].u));
        MG(cudaFree(mg->level[l].w));
        MG(cudaFree(mg->level[l].coef));
    }
    MG(cudaStreamDestroy(mg->stream));
}
