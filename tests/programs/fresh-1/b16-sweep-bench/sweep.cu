#include "sweep.h"

#include <cuda_runtime.h>
#include <string.h>
#include <vector>

static __device__ void work_for(unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

static __global__ void advance_quadrant(unsigned *flux, unsigned n, unsigned step, unsigned long long ns)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        flux[i] += step + (i & 7u);
    work_for(ns);
}

static __global__ void accumulate_norm(unsigned *out, unsigned long long ns)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        atomicAdd(out, 1u);
    work_for(ns);
}

static CUfunction lookup(const void *symbol)
{
    cudaFunction_t fn = NULL;
    cudaError_t rc = cudaGetFuncBySymbol(&fn, symbol);
    if (rc != cudaSuccess) {
        printf("ERROR %s\n", cudaGetErrorName(rc));
        exit(1);
    }
    return fn;
}

void sweep_open(sweep *s)
{
    memset(s, 0, sizeof *s);
    s->advance = lookup((const void *)advance_quadrant);
    s->norm = lookup((const void *)accumulate_norm);
    BN(cuEventCreate(&s->fork, CU_EVENT_DISABLE_TIMING));
    for (int i = 0; i < QUADRANTS; ++i) {
        quadrant *q = &s->q[i];
        BN(cuStreamCreate(&q->stream, CU_STREAM_NON_BLOCKING));
        BN(cuEventCreate(&q->done, CU_EVENT_DISABLE_TIMING));
        BN(cuMemAlloc(&q->flux, MESH_CELLS * sizeof(unsigned)));
        BN(cuMemsetD32(q->flux, 0, MESH_CELLS));
    }
    BN(cuMemAlloc(&s->norm_out, sizeof(unsigned)));
    BN(cuMemsetD32(s->norm_out, 0, 1));
    BN(cuCtxSynchronize());
}

void sweep_queue(CUstream stream, void *user)
{
    sweep *s = (sweep *)user;
    BN(cuEventRecord(s->fork, stream));
    for (int i = 0; i < QUADRANTS; ++i) {
        quadrant *q = &s->q[i];
        unsigned n = MESH_CELLS, step = i + 1;
        unsigned long long ns = 12000000ull + 1000000ull * i;
        void *args[] = {&q->flux, &n, &step, &ns};
        BN(cuStreamWaitEvent(q->stream, s->fork, CU_EVENT_WAIT_DEFAULT));
        BN(cuLaunchKernel(s->advance, 16, 1, 1, 256, 1, 1, 0, q->stream, args, NULL));
        BN(cuEventRecord(q->done, q->stream));
        BN(cuStreamWaitEvent(stream, q->done, CU_EVENT_WAIT_DEFAULT));
    }
    s->sweeps++;
}

void sweep_drain(void *user)
{
    sweep *s = (sweep *)user;
    for (int i = 0; i < QUADRANTS; ++i)
        BN(cuEventSynchronize(s->q[i].done));
}

void norm_queue(CUstream stream, void *user)
{
    sweep *s = (sweep *)user;
    unsigned long long ns = 8000000ull;
    void *args[] = {&s->norm_out, &ns};
    BN(cuLaunchKernel(s->norm, 16, 1, 1, 256, 1, 1, 0, stream, args, NULL));
    s->norms++;
}

void norm_drain(void *user)
{
    (void)user;
    BN(cuCtxSynchronize());
}

int sweep_check(sweep *s)
{
    int wrong = 0;
    std::vector<unsigned> flux(MESH_CELLS);
    for (int i = 0; i < QUADRANTS; ++i) {
        BN(cuMemcpyDtoH(flux.data(), s->q[i].flux, MESH_CELLS * sizeof(unsigned)));
        for (unsigned c = 0; c < MESH_CELLS; ++c)
            if (flux[c] != s->sweeps * (i + 1 + (c & 7u)))
                ++wrong;
    }
    unsigned norms = 0;
    BN(cuMemcpyDtoH(&norms, s->norm_out, sizeof norms));
    return wrong + (norms != s->norms);
}

void sweep_close(sweep *s)
{
    for (int i = 0; i < QUADRANTS; ++i) {
        BN(cuStreamDestroy(s->q[i].stream));
        BN(cuEventDestroy(s->q[i].done));
        BN(cuMemFree(s->q[i].flux));
    }
    BN(cuEventDestroy(s->fork));
    BN(cuMemFree(s->norm_out));
}
