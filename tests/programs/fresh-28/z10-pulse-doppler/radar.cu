#include <cstdlib>
#include <cstring>
#include "radar.h"

static __device__ void hold_ms(unsigned ms)
{
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(a));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(b));
    } while (b - a < ms * 1000000ull);
}

/* Pulse compression along range. */
__global__ void compress_range(const int *echo, int *out)
{
    hold_ms(8);
    const int *pulse = echo + blockIdx.x * RADAR_GATES;
    for (int g = threadIdx.x; g < RADAR_GATES; g += blockDim.x)
        out[blockIdx.x * RADAR_GATES + g] = pulse[g] + 2 * pulse[(g + 1) % RADAR_GATES];
}

/* Integration along the pulses of a gate. */
__global__ void integrate_doppler(const int *in, int *spectrum)
{
    hold_ms(12);
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= RADAR_GATES) return;
    int sum = 0;
    for (int p = 0; p < RADAR_PULSES; ++p) sum += in[p * RADAR_GATES + g] * ((p & 1) ? -1 : 3);
    spectrum[g] = sum;
}

cudaError_t radar_open(radar *r)
{
    const size_t cells = (size_t)RADAR_PULSES * RADAR_GATES;
    int *staging = NULL;
    memset(r, 0, sizeof *r);
    RADAR_RETURN(cudaMallocHost((void **)&r->report, RADAR_BEAMS * RADAR_GATES * sizeof(int)));
    RADAR_RETURN(cudaMallocHost((void **)&staging, cells * sizeof(int)));
    for (int b = 0; b < RADAR_BEAMS; ++b) {
        radar_beam *beam = &r->beam[b];
        RADAR_RETURN(cudaStreamCreate(&beam->stream));
        RADAR_RETURN(cudaMalloc((void **)&beam->echo, cells * sizeof(int)));
        RADAR_RETURN(cudaMalloc((void **)&beam->compressed, cells * sizeof(int)));
        RADAR_RETURN(cudaMalloc((void **)&beam->spectrum, RADAR_GATES * sizeof(int)));
        for (size_t i = 0; i < cells; ++i)
            staging[i] = radar_echo(b, (int)(i / RADAR_GATES), (int)(i % RADAR_GATES));
        RADAR_RETURN(cudaMemcpy(beam->echo, staging, cells * sizeof(int), cudaMemcpyHostToDevice));
    }
    return cudaFreeHost(staging);
}

cudaError_t radar_dwell(radar *r)
{
    for (int b = 0; b < RADAR_BEAMS; ++b) {
        radar_beam *beam = &r->beam[b];
        compress_range<<<RADAR_PULSES, 128, 0, beam->stream>>>(beam->echo, beam->compressed);
        RADAR_RETURN(cudaGetLastError());
        integrate_doppler<<<RADAR_GATES / 128, 128, 0, beam->stream>>>(beam->compressed,
                                                                       beam->spectrum);
        RADAR_RETURN(cudaGetLastError());
    }
    return cudaSuccess;
}

cudaError_t radar_fetch(radar *r)
{
    for (int b = 0; b < RADAR_BEAMS; ++b)
        RADAR_RETURN(cudaMemcpyAsync(r->report + b * RADAR_GATES, r->beam[b].spectrum,
                                     RADAR_GATES * sizeof(int), cudaMemcpyDeviceToHost,
                                     r->beam[b].stream));
    for (int b = 0; b < RADAR_BEAMS; ++b) RADAR_RETURN(cudaStreamSynchronize(r->beam[b].stream));
    return cudaSuccess;
}

void radar_close(radar *r)
{
    for (int b = 0; b < RADAR_BEAMS; ++b) {
        cudaFree(r->beam[b].spectrum);
        cudaFree(r->beam[b].compressed);
        cudaFree(r->beam[b].echo);
        cudaStreamDestroy(r->beam[b].stream);
    }
    cudaFreeHost(r->report);
}
