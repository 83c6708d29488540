#include "gantry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__device__ float g_gain[AXES];

/* One block, one thread per axis. Lives until the halt command. */
__global__ void gantry_loop(mailbox_t *mb, float *pos)
{
    __shared__ unsigned op;
    __shared__ float arg;
    const volatile float *gain = g_gain;
    const int axis = threadIdx.x;
    unsigned seen = 0;

    for (;;) {
        if (axis == 0) {
            while (mb->seq == seen) __nanosleep(200);
            __threadfence_system();
            op = mb->op;
            arg = mb->arg;
        }
        __syncthreads();
        const unsigned cur = op;
        const float a = arg;
        ++seen;
        switch (cur) {
        case CMD_MOVE:   pos[axis] += a * gain[axis]; break;
        case CMD_HOME:   pos[axis] = a; break;
        case CMD_NEGATE: pos[axis] = -pos[axis]; break;
        default: break;
        }
        __syncthreads();
        if (axis == 0) {
            __threadfence_system();
            mb->ack = seen;
        }
        if (cur == CMD_HALT) break;
    }
}

extern "C" void gantry_fail(cudaError_t e)
{
    printf("ERROR %s\n", cudaGetErrorName(e));
    fflush(stdout);
    _Exit(1);
}

extern "C" void gantry_open(gantry_line_t *ln)
{
    void *p = NULL;
    memset(ln, 0, sizeof *ln);
    TRY(cudaHostAlloc(&p, sizeof(mailbox_t), cudaHostAllocMapped));
    memset(p, 0, sizeof(mailbox_t));
    ln->host = (mailbox_t *)p;
    TRY(cudaHostGetDevicePointer(&p, ln->host, 0));
    ln->dev = (mailbox_t *)p;
    TRY(cudaHostAlloc(&p, AXES * sizeof(float), cudaHostAllocDefault));
    ln->h_gain = (float *)p;
    TRY(cudaMalloc(&p, AXES * sizeof(float)));
    ln->d_pos = (float *)p;
    TRY(cudaMemset(ln->d_pos, 0, AXES * sizeof(float)));
    TRY(cudaStreamCreate(&ln->stream));
    TRY(cudaStreamCreateWithFlags(&ln->tune, cudaStreamNonBlocking));
    TRY(cudaDeviceSynchronize());
}

extern "C" void gantry_start(gantry_line_t *ln)
{
    gantry_loop<<<1, AXES, 0, ln->stream>>>(ln->dev, ln->d_pos);
    TRY(cudaGetLastError());
    ln->running = 1;
}

extern "C" void gantry_set_gain(gantry_line_t *ln, float base, float slope)
{
    for (int i = 0; i < AXES; ++i) ln->h_gain[i] = base + slope * (float)i;
    TRY(cudaMemcpyToSymbolAsync(g_gain, ln->h_gain, AXES * sizeof(float), 0, cudaMemcpyHostToDevice, ln->tune));
    TRY(cudaStreamSynchronize(ln->tune));
}

extern "C" void gantry_read(gantry_line_t *ln, float *out)
{
    TRY(cudaStreamSynchronize(ln->stream));
    TRY(cudaMemcpy(out, ln->d_pos, AXES * sizeof(float), cudaMemcpyDeviceToHost));
}

extern "C" void gantry_close(gantry_line_t *ln)
{
    TRY(cudaStreamDestroy(ln->tune));
    TRY(cudaStreamDestroy(ln->stream));
    TRY(cudaFree(ln->d_pos));
    TRY(cudaFreeHost(ln->h_gain));
    TRY(cudaFreeHost(ln->host));
}
