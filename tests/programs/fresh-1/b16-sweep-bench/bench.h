#ifndef SWEEP_BENCH_H
#define SWEEP_BENCH_H
/* Small benchmark harness: cases are callbacks that queue work behind a stream. */

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#define BN(call)                                \
    do {                                        \
        CUresult bn_rc = (call);                \
        if (bn_rc != CUDA_SUCCESS) {            \
            const char *bn_name = "unknown";    \
            cuGetErrorName(bn_rc, &bn_name);    \
            printf("ERROR %s\n", bn_name);      \
            exit(1);                            \
        }                                       \
    } while (0)

typedef struct {
    const char *name;
    void (*queue)(CUstream stream, void *user);
    void (*drain)(void *user);
    void *user;
} bench_case;

typedef struct {
    double ms_per_rep;
    double wall_ms_per_rep;
} bench_result;

typedef struct {
    CUdevice dev;
    CUcontext ctx;
    CUstream stream;
    CUevent start, stop;
    int warmup;
    int reps;
} bench;

void bench_open(bench *b, int warmup, int reps);
void bench_run(bench *b, const bench_case *c, bench_result *r);
void bench_close(bench *b);

#endif
