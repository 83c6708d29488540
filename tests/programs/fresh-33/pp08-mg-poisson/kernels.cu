/* kernels.cu - grid kernels; the boundary values are zero */
#include "mg.h"

__device__ __forceinline__ double lap(const double *u, int i, int n) {
    double left = i > 0 ? u[i - 1] : 0.0;
    double right = i < n - 1 ? u[i + 1] : 0.0;
    return 2.0 * u[i] - left - right;
}

__global__ void k_jacobi(double *out, const double *u, const double *f, int n,
                         const struct mg_coef *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = u[i] + c->relax * (f[i] - c->h2inv * lap(u, i, n));
}

__global__ void k_residual(double *r, const double *u, const double *f, int n,
                           const struct mg_coef *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        r[i] = f[i] - c->h2inv * lap(u, i, n);
}

__global__ void k_restrict(double *fc, const double *r, int nc, const struct mg_coef *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nc)
        fc[i] = c->scale * (r[2 * i] + 2.0 * r[2 * i + 1] + r[2 * i + 2]);
}

__global__ void k_prolong(double *u, const double *uc, int nc) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= nc) {
        double left = i > 0 ? uc[i - 1] : 0.0;
        double right = i < nc ? uc[i] : 0.0;
        u[2 * i] += 0.5 * (left + right);
        if (i < nc)
            u[2 * i + 1] += uc[i];
    }
}

void mg_smooth(struct mg_level *lv, int pairs, cudaStream_t st) {
    for (int k = 0; k < pairs; ++k) {
        k_jacobi<<<MG_GRID(lv->n), 0, st>>>(lv->tmp, lv->u, lv->f, lv->n, lv->coef);
        k_jacobi<<<MG_GRID(lv->n), 0, st>>>(lv->u, lv->tmp, lv->f, lv->n, lv->coef);
    }
    MG_TRY(cudaGetLastError());
}

void mg_residual(struct mg_level *lv, cudaStream_t st) {
    k_residual<<<MG_GRID(lv->n), 0, st>>>(lv->r, lv->u, lv->f, lv->n, lv->coef);
    MG_TRY(cudaGetLastError());
}

void mg_restrict(struct mg_level *fine, struct mg_level *coarse, cudaStream_t st) {
    k_restrict<<<MG_GRID(coarse->n), 0, st>>>(coarse->f, fine->r, coarse->n, fine->coef);
    MG_TRY(cudaGetLastError());
}

void mg_prolong(struct mg_level *coarse, struct mg_level *fine, cudaStream_t st) {
    k_prolong<<<MG_GRID(coarse->n + 1), 0, st>>>(fine->u, coarse->u, coarse->n);
    MG_TRY(cudaGetLastError());
}
