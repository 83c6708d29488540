#include "power.h"
#include <stdlib.h>

struct pw_solver {
    pw_config cfg;
    cudaStream_t stream;
    vec_ctx vec;
    float *x, *y, *norm;
    cudaGraphExec_t sweep;
};

static cudaError_t g_err = cudaSuccess;

#define PW_TRY(call)                       \
    do {                                   \
        if ((g_err = (call)) != cudaSuccess) \
            return PW_CUDA;                \
    } while (0)

cudaError_t pw_cuda_error(void) { return g_err; }

static pw_status record_sweep(pw_solver *s)
{
    cudaGraph_t graph;
    const int n = s->cfg.n;
    PW_TRY(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal));
    PW_TRY(vec_tridiag(&s->vec, s->x, s->y, n, s->cfg.diag, s->cfg.coupling));
    PW_TRY(vec_sum(&s->vec, s->y, s->norm, n));
    PW_TRY(vec_divide(&s->vec, s->x, s->y, s->norm, n));
    PW_TRY(cudaStreamEndCapture(s->stream, &graph));
    PW_TRY(cudaGraphInstantiate(&s->sweep, graph, 0));
    PW_TRY(cudaGraphDestroy(graph));
    return PW_OK;
}

pw_status pw_create(const pw_config *cfg, pw_solver **out)
{
    pw_solver *s = (pw_solver *)calloc(1, sizeof *s);
    if (!s)
        return PW_NOMEM;
    s->cfg = *cfg;
    const size_t bytes = sizeof(float) * cfg->n;
    PW_TRY(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking));
    PW_TRY(vec_open(&s->vec, cfg->n, s->stream));
    PW_TRY(cudaMalloc((void **)&s->x, bytes));
    PW_TRY(cudaMalloc((void **)&s->y, bytes));
    PW_TRY(cudaMalloc((void **)&s->norm, sizeof(float)));

    float *ones = (float *)malloc(bytes);
    for (int i = 0; i < cfg->n; ++i)
        ones[i] = 1.f;
    PW_TRY(cudaMemcpy(s->x, ones, bytes, cudaMemcpyHostToDevice));
    PW_TRY(cudaMemcpy(s->y, ones, bytes, cudaMemcpyHostToDevice));
    PW_TRY(cudaMemcpy(s->norm, ones, sizeof(float), cudaMemcpyHostToDevice));
    PW_TRY(cudaDeviceSynchronize());
    free(ones);

    pw_status st = record_sweep(s);
    if (st != PW_OK)
        return st;
    *out = s;
    return PW_OK;
}

pw_status pw_run(pw_solver *s, float *x_host, float *rate)
{
    for (int k = 0; k < s->cfg.iterations; ++k)
        PW_TRY(cudaGraphLaunch(s->sweep, s->stream));
    PW_TRY(cudaMemcpyAsync(x_host, s->x, sizeof(float) * s->cfg.n, cudaMemcpyDeviceToHost, s->stream));
    PW_TRY(cudaMemcpyAsync(rate, s->norm, sizeof(float), cudaMemcpyDeviceToHost, s->stream));
    PW_TRY(cudaStreamSynchronize(s->stream));
    return PW_OK;
}

void pw_destroy(pw_solver *s)
{
    cudaGraphExecDestroy(s->sweep);
    vec_close(&s->vec);
    cudaFree(s->x);
    cudaFree(s->y);
    cudaFree(s->norm);
    cudaStreamDestroy(s->stream);
    free(s);
}
