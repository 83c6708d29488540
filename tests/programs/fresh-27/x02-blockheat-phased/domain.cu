#include "domain.h"

#include <string.h>

static void fill_block(domain_t *d, int b, const double *temp, const double *src)
{
    const int n = d->ncell;
    const int total = n * d->nblocks;
    block_t *k = &d->blk[b];
    double *tmp = (double *)malloc((size_t)(n + 2 * NGHOST) * sizeof(double));
    for (int i = -NGHOST; i < n + NGHOST; ++i)
        tmp[i + NGHOST] = temp[(b * n + i + total) % total];
    CU(cudaMemcpy(k->temp[0], tmp, (size_t)(n + 2 * NGHOST) * sizeof(double), cudaMemcpyHostToDevice));
    CU(cudaMemset(k->temp[1], 0, (size_t)(n + 2 * NGHOST) * sizeof(double)));
    CU(cudaMemcpy(k->src, src + (size_t)b * n, (size_t)n * sizeof(double), cudaMemcpyHostToDevice));
    free(tmp);
}

void domain_init(domain_t *d, const double *temp, const double *src)
{
    const size_t bytes = (size_t)(d->ncell + 2 * NGHOST) * sizeof(double);
    d->cur = 0;
    for (int b = 0; b < d->nblocks; ++b) {
        block_t *k = &d->blk[b];
        CU(cudaMalloc((void **)&k->temp[0], bytes));
        CU(cudaMalloc((void **)&k->temp[1], bytes));
        CU(cudaMalloc((void **)&k->src, (size_t)d->ncell * sizeof(double)));
        CU(cudaStreamCreateWithFlags(&k->comp, cudaStreamNonBlocking));
        CU(cudaStreamCreateWithFlags(&k->halo, cudaStreamNonBlocking));
        CU(cudaEventCreateWithFlags(&k->edge, cudaEventDisableTiming));
        CU(cudaEventCreateWithFlags(&k->ghost, cudaEventDisableTiming));
        fill_block(d, b, temp, src);
    }
    CU(cudaDeviceSynchronize());
}

void domain_fetch(domain_t *d, double *temp)
{
    CU(cudaDeviceSynchronize());
    for (int b = 0; b < d->nblocks; ++b)
        CU(cudaMemcpy(temp + (size_t)b * d->ncell, d->blk[b].temp[d->cur] + NGHOST,
                      (size_t)d->ncell * sizeof(double), cudaMemcpyDeviceToHost));
}

void domain_free(domain_t *d)
{
    for (int b = 0; b < d->nblocks; ++b) {
        block_t *k = &d->blk[b];
        CU(cudaStreamDestroy(k->comp));
        CU(cudaStreamDestroy(k->halo));
        CU(cudaEventDestroy(k->edge));
        CU(cudaEventDestroy(k->ghost));
        CU(cudaFree(k->temp[0]));
        CU(cudaFree(k->temp[1]));
        CU(cudaFree(k->src));
    }
    memset(d->blk, 0, sizeof d->blk);
}

void domain_run(domain_t *d)
{
    for (int s = 0; s < d->steps; ++s) {
        for (int b = 0; b < d->nblocks; ++b)
            block_advance(d, b);
        for (int b = 0; b < d->nblocks; ++b)
            block_exchange(d, b);
        d->cur ^= 1;
    }
}
