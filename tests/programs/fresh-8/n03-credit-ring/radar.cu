/* Pulse compression of one dwell: one stream synthesises the echoes, another
 * compresses them into range energy. */
#include <stdio.h>
#include <stdlib.h>

#include "chan.h"
#include "radar_conf.h"

__global__ void echo(int *slot, int n, int pulse, long long cycles)
{
    long long t0 = clock64();
    while (clock64() - t0 < cycles) { }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        slot[i] = (i * 3 + pulse) % 17;
}

__global__ void compress(const int *slot, int n, int *energy)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(energy, slot[i]);
}

static int expected(int n, int pulse)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += (i * 3 + pulse) % 17;
    return s;
}

static void dwell(chan_t *ring, const struct radar_conf *rc, int *energy)
{
    for (unsigned p = 0; p < rc->pulses; p += rc->burst) {
        for (unsigned k = 0; k < rc->burst; k++) {
            int *slot = (int *)chan_take(ring);
            echo<<<16, 128, 0, ring->producer>>>(slot, rc->samples, (int)(p + k), 2000000LL);
            RT(cudaGetLastError());
            chan_publish(ring);
        }
        for (unsigned k = 0; k < rc->burst; k++) {
            const int *slot = (const int *)chan_read(ring);
            compress<<<16, 128, 0, ring->consumer>>>(slot, rc->samples, energy + p + k);
            RT(cudaGetLastError());
            chan_return(ring);
        }
    }
}

int main(void)
{
    struct radar_conf rc = radar_conf_xband();
    cudaStream_t tx, rx;
    chan_t ring;
    int *energy, *got;
    long bad = 0;

    RT(cudaStreamCreateWithFlags(&tx, cudaStreamNonBlocking));
    RT(cudaStreamCreateWithFlags(&rx, cudaStreamNonBlocking));
    RT(cudaMalloc((void **)&energy, rc.pulses * sizeof(int)));
    RT(cudaMemset(energy, 0, rc.pulses * sizeof(int)));
    chan_open(&ring, rc.samples * sizeof(int), rc.ring_bytes, rc.burst, tx, rx);

    dwell(&ring, &rc, energy);
    chan_close(&ring);

    got = (int *)malloc(rc.pulses * sizeof(int));
    RT(cudaMemcpy(got, energy, rc.pulses * sizeof(int), cudaMemcpyDeviceToHost));
    for (unsigned p = 0; p < rc.pulses; p++)
        if (got[p] != expected(rc.samples, (int)p))
            bad++;
    free(got);
    cudaFree(energy);
    cudaStreamDestroy(tx);
    cudaStreamDestroy(rx);
    if (bad) {
        printf("WRONG %ld\n", bad);
        return 1;
    }
    printf("DONE\n");
    return 0;
}
