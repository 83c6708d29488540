#include "servo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__device__ float g_gain[AXES];

/* One block, one thread per axis. Lives until the halt command. */
__global__ void servo_loop(mailbox_t *mb, float *pos)
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

extern "C" void servo_fail(cudaError_t e)
{
    printf("ERROR %s\n", cudaGetErrorName(e));
    fflush(stdout);
    _Exit(1);
}

extern "C" void servo_open(servo_bus_t *bus)
{
    void *p = NULL;
    memset(bus, 0, sizeof *bus);
    TRY(cudaHostAlloc(&p, sizeof(mailbox_t), cudaHostAllocMapped));
    memset(p, 0, sizeof(mailbox_t));
    bus->host = (mailbox_t *)p;
    TRY(cudaHostGetDevicePointer(&p, bus->host, 0));
    bus->dev = (mailbox_t *)p;
    TRY(cudaHostAlloc(&p, AXES * sizeof(float), cudaHostAllocDefault));
    bus->h_gain = (float *)p;
    TRY(cudaMalloc(&p, AXES * sizeof(float)));
    bus->d_pos = (float *)p;
    TRY(cudaMemset(bus->d_pos, 0, AXES * sizeof(float)));
    TRY(cudaStreamCreate(&bus->stream));
    TRY(cudaDeviceSynchronize());
}

extern "C" void servo_start(servo_bus_t *bus)
{
    servo_loop<<<1, AXES, 0, bus->stream>>>(bus->dev, bus->d_pos);
    TRY(cudaGetLastError());
    bus->running = 1;
}

extern "C" void servo_set_gain(servo_bus_t *bus, float base, float slope)
{
    for (int i = 0; i < AXES; ++i) bus->h_gain[i] = base + slope * (float)i;
    TRY(cudaMemcpyToSymbol(g_gain, bus->h_gain, AXES * sizeof(float)));
}

extern "C" void servo_read(servo_bus_t *bus, float *out)
{
    TRY(cudaStreamSynchronize(bus->stream));
    TRY(cudaMemcpy(out, bus->d_pos, AXES * sizeof(float), cudaMemcpyDeviceToHost));
}

extern "C" void servo_close(servo_bus_t *bus)
{
    TRY(cudaStreamDestroy(bus->stream));
    TRY(cudaFree(bus->d_pos));
    TRY(cudaFreeHost(bus->h_gain));
    TRY(cudaFreeHost(bus->host));
}
