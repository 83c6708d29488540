// Truss response: the stiffness diagonal is assembled from element data once, then
// load steps are applied one after another by a solver that stays on the device.
#include "service.h"
#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(expr)                                                                        \
    do {                                                                                   \
        fem_status s_ = (expr);                                                            \
        if (s_ != FEM_OK) {                                                                \
            printf("ERROR %s\n", s_ == FEM_ECUDA ? cudaGetErrorName(fem_last_error) : "fem"); \
            return 1;                                                                      \
        }                                                                                  \
    } while (0)

static fem_status upload(cudaStream_t s, void *dst, const void *src, size_t bytes)
{
    FEM_TRY(cudaMemcpyAsync(dst, src, bytes, cudaMemcpyHostToDevice, s));
    FEM_TRY(cudaStreamSynchronize(s));
    return FEM_OK;
}

static fem_status download(cudaStream_t s, void *dst, const void *src, size_t bytes)
{
    FEM_TRY(cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToHost, s));
    FEM_TRY(cudaStreamSynchronize(s));
    return FEM_OK;
}

static fem_status open_io(cudaStream_t *s, float **host, size_t bytes)
{
    FEM_TRY(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
    FEM_TRY(cudaMallocHost((void **)host, bytes));
    return FEM_OK;
}

int main()
{
    const int n = 1 << 17, steps = 6;
    workspace ws;
    fem_service svc;
    cudaStream_t io;
    float *elems = NULL, *diag = NULL, *x = NULL, *y = NULL, *host = NULL;

    CHECK(ws_open(&ws));
    CHECK(open_io(&io, &host, sizeof(float) * n * 8));
    CHECK(ws_alloc(&ws, sizeof(float) * n * 8, (void **)&elems));
    CHECK(ws_alloc(&ws, sizeof(float) * n, (void **)&diag));
    CHECK(ws_alloc(&ws, sizeof(float) * n, (void **)&x));
    CHECK(ws_alloc(&ws, sizeof(float) * n, (void **)&y));

    std::vector<float> ref(n, 0.f);
    for (int i = 0; i < n * 8; ++i) {
        host[i] = 0.25f + 0.125f * (float)(i % 5);
        ref[i / 8] += host[i];
    }
    CHECK(upload(io, elems, host, sizeof(float) * n * 8));

    CHECK(svc_start(&svc));
    fem_job assemble = {OP_ASSEMBLE, n, diag, elems, NULL};
    CHECK(svc_call(&svc, &assemble));
    CHECK(ws_release(&ws, elems));

    long wrong = 0;
    std::vector<float> load(n);
    for (int s = 0; s < steps; ++s) {
        for (int i = 0; i < n; ++i)
            host[i] = load[i] = (float)((i + 5 * s) % 13) - 6.f;
        CHECK(upload(io, x, host, sizeof(float) * n));
        fem_job apply = {OP_APPLY, n, y, diag, x};
        CHECK(svc_call(&svc, &apply));
        CHECK(download(io, host, y, sizeof(float) * n));
        for (int i = 0; i < n; ++i) {
            float l = i > 0 ? load[i - 1] : 0.f, r = i + 1 < n ? load[i + 1] : 0.f;
            float e = ref[i] * load[i] - 0.5f * (l + r);
            if (std::fabs(e - host[i]) > 1e-3f)
                wrong++;
        }
    }

    CHECK(svc_stop(&svc));
    CHECK(ws_close(&ws));
    cudaFreeHost(host);
    cudaStreamDestroy(io);
    if (wrong)
        printf("WRONG %ld\n", wrong);
    else
        printf("DONE\n");
    return 0;
}
