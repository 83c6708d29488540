#include "cg.h"
#include <math.h>

static void work_open(cg_work *w, int n)
{
    TRY(cudaMalloc((void **)&w->vec, 4 * (size_t)n * sizeof(double)));
    TRY(cudaMalloc((void **)&w->rr, 6 * sizeof(double)));
    w->pq = w->rr + 3;
    TRY(cudaHostAlloc((void **)&w->seen, 2 * sizeof(double), cudaHostAllocDefault));
    TRY(cudaStreamCreateWithFlags(&w->solve, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&w->watch, cudaStreamNonBlocking));
    for (int i = 0; i < 2; i++) {
        TRY(cudaEventCreateWithFlags(&w->fresh[i], cudaEventDisableTiming));
        TRY(cudaEventCreateWithFlags(&w->taken[i], cudaEventDisableTiming));
    }
}

static void work_close(cg_work *w)
{
    for (int i = 0; i < 2; i++) {
        TRY(cudaEventDestroy(w->fresh[i]));
        TRY(cudaEventDestroy(w->taken[i]));
    }
    TRY(cudaStreamDestroy(w->watch));
    TRY(cudaStreamDestroy(w->solve));
    TRY(cudaFreeHost(w->seen));
    TRY(cudaFree(w->rr));
    TRY(cudaFree(w->vec));
}

/* The host looks at the residual of the previous iteration while the next one is on its way. */
static int cg_solve(const linop *op, cg_work *w, const double *b, double bb, const cg_opts *o)
{
    int n = op->n, k;
    TRY(cudaMemsetAsync(w->rr, 0, 6 * sizeof(double), w->solve));
    cg_launch_start(op, w, b);
    for (k = 0; k < o->max_iter; k++) {
        int h = k % 2;
        op->apply(op, w->vec + 2 * n, w->vec + 3 * n, w->pq + k % 3, w->solve);
        cg_launch_update(op, w, k);
        TRY(cudaEventRecord(w->fresh[h], w->solve));
        if (k >= 2)
            TRY(cudaStreamWaitEvent(w->solve, w->taken[h], 0));
        cg_launch_direction(op, w, k);

        TRY(cudaStreamWaitEvent(w->watch, w->fresh[h], 0));
        TRY(cudaMemcpyAsync(w->seen + h, w->rr + (k + 1) % 3, sizeof(double), cudaMemcpyDeviceToHost, w->watch));
        TRY(cudaEventRecord(w->taken[h], w->watch));

        if (k == 0)
            continue;
        TRY(cudaEventSynchronize(w->taken[1 - h]));
        if (w->seen[1 - h] <= o->tol2 * bb)
            break;
    }
    TRY(cudaStreamSynchronize(w->watch));
    TRY(cudaStreamSynchronize(w->solve));
    return k;
}

int main(void)
{
    const int n = 1 << 16;
    cg_opts opt = {200, 1e-20};
    linop op = stencil_op(n, 2.4, -1.0);
    double *b = (double *)malloc(n * sizeof(double)), *x = (double *)malloc(n * sizeof(double)), *d_b;
    double bb = 0;
    for (int i = 0; i < n; i++) {
        b[i] = sin(0.01 * i) + (i % 7) * 0.25;
        bb += b[i] * b[i];
    }
    TRY(cudaMalloc((void **)&d_b, n * sizeof(double)));
    TRY(cudaMemcpy(d_b, b, n * sizeof(double), cudaMemcpyHostToDevice));
    TRY(cudaDeviceSynchronize());

    cg_work w;
    work_open(&w, n);
    int used = cg_solve(&op, &w, d_b, bb, &opt);
    TRY(cudaMemcpy(x, w.vec, n * sizeof(double), cudaMemcpyDeviceToHost));
    work_close(&w);
    TRY(cudaFree(d_b));

    long wrong = used >= opt.max_iter;
    for (int i = 0; i < n; i++) {
        double v = op.diag * x[i] + (i ? op.off * x[i - 1] : 0) + (i + 1 < n ? op.off * x[i + 1] : 0);
        wrong += !(fabs(v - b[i]) < 1e-6);
    }
    free(b);
    free(x);
    if (wrong) {
        printf("WRONG %ld\n", wrong);
        return 2;
    }
    printf("DONE\n");
    return 0;
}
