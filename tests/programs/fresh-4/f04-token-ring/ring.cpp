#include "ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CUcontext g_ctx;
static CUdevice g_dev;

void ring_fail(CUresult r)
{
    const char *name = "CUDA_ERROR_UNKNOWN";
    cuGetErrorName(r, &name);
    printf("ERROR %s\n", name);
    exit(1);
}

static CUdeviceptr flag_of(const ring_comm *rc, int rank)
{
    return rc->flags + (CUdeviceptr)rank * sizeof(cuuint32_t);
}

void ring_init(ring_comm *rc, int n)
{
    memset(rc, 0, sizeof *rc);
    rc->n = n;
    RING_CALL(cuInit(0));
    RING_CALL(cuDeviceGet(&g_dev, 0));
    RING_CALL(cuDevicePrimaryCtxRetain(&g_ctx, g_dev));
    RING_CALL(cuCtxSetCurrent(g_ctx));
    RING_CALL(cuMemAlloc(&rc->flags, RING_RANKS * sizeof(cuuint32_t)));
    RING_CALL(cuMemAlloc(&rc->token, n * sizeof(double)));
    RING_CALL(cuMemsetD32(rc->flags, 0, RING_RANKS));
    RING_CALL(cuMemsetD8(rc->token, 0, n * sizeof(double)));
    RING_CALL(cuCtxSynchronize());
    for (int r = 0; r < RING_RANKS; ++r) {
        ring_rank *rk = &rc->rank[r];
        rk->id = r;
        RING_CALL(cuStreamCreate(&rk->stream, CU_STREAM_NON_BLOCKING));
        RING_CALL(cuMemAlloc(&rk->local, n * sizeof(double)));
        ring_launch_fill(rk->stream, rk->local, n, r);
        /* zero weight: leaves the token at zero */
        ring_launch_mix(rk->stream, rc->token, rk->local, n, 0.0);
        RING_CALL(cuStreamSynchronize(rk->stream));
    }
}

void ring_finalize(ring_comm *rc)
{
    for (int r = 0; r < RING_RANKS; ++r) {
        RING_CALL(cuMemFree(rc->rank[r].local));
        RING_CALL(cuStreamDestroy(rc->rank[r].stream));
    }
    RING_CALL(cuMemFree(rc->token));
    RING_CALL(cuMemFree(rc->flags));
    RING_CALL(cuDevicePrimaryCtxRelease(g_dev));
}

static void recv_token(ring_comm *rc, int rank, int round)
{
    RING_CALL(cuStreamWaitValue32(rc->rank[rank].stream, flag_of(rc, rank), (cuuint32_t)round,
                                  CU_STREAM_WAIT_VALUE_GEQ));
}

static void send_token(ring_comm *rc, int rank, int round)
{
    int next = (rank + 1) % RING_RANKS;
    RING_CALL(cuStreamWriteValue32(rc->rank[rank].stream, flag_of(rc, next), (cuuint32_t)round,
                                   CU_STREAM_WRITE_VALUE_DEFAULT));
}

/* Puts all rounds of one rank on that rank's stream. */
void ring_enqueue(ring_comm *rc, int rank, int rounds)
{
    ring_rank *rk = &rc->rank[rank];
    for (int s = 1; s <= rounds; ++s) {
        const double w = 1.0 / (s + rank);
        if (rank == 0) {
            ring_launch_mix(rk->stream, rc->token, rk->local, rc->n, w);
            send_token(rc, rank, s);
            recv_token(rc, rank, s);
        } else {
            recv_token(rc, rank, s);
            ring_launch_mix(rk->stream, rc->token, rk->local, rc->n, w);
            send_token(rc, rank, s);
        }
    }
}
