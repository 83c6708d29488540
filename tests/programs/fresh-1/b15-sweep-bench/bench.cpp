#include "bench.h"

#include <chrono>

void bench_open(bench *b, int warmup, int reps)
{
    BN(cuInit(0));
    BN(cuDeviceGet(&b->dev, 0));
    BN(cuDevicePrimaryCtxRetain(&b->ctx, b->dev));
    BN(cuCtxSetCurrent(b->ctx));
    BN(cuStreamCreate(&b->stream, CU_STREAM_NON_BLOCKING));
    BN(cuEventCreate(&b->start, CU_EVENT_DEFAULT));
    BN(cuEventCreate(&b->stop, CU_EVENT_DEFAULT));
    b->warmup = warmup;
    b->reps = reps;
}

void bench_run(bench *b, const bench_case *c, bench_result *r)
{
    for (int i = 0; i < b->warmup; ++i)
        c->queue(b->stream, c->user);
    c->drain(c->user);
    BN(cuCtxSynchronize());

    auto t0 = std::chrono::steady_clock::now();
    BN(cuEventRecord(b->start, b->stream));
    for (int i = 0; i < b->reps; ++i)
        c->queue(b->stream, c->user);
    BN(cuEventRecord(b->stop, b->stream));
    BN(cuEventSynchronize(b->stop));
    float ms = 0.0f;
    BN(cuEventElapsedTime(&ms, b->start, b->stop));
    c->drain(c->user);
    auto t1 = std::chrono::steady_clock::now();

    r->ms_per_rep = ms / b->reps;
    r->wall_ms_per_rep = std::chrono::duration<double, std::milli>(t1 - t0).count() / b->reps;
    printf("%-10s %8.3f ms per repetition\n", c->name, r->ms_per_rep);
}

void bench_close(bench *b)
{
    BN(cuEventDestroy(b->start));
    BN(cuEventDestroy(b->stop));
    BN(cuStreamDestroy(b->stream));
    BN(cuDevicePrimaryCtxRelease(b->dev));
}
