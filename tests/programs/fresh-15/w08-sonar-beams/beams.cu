#include <string.h>

#include "beams.h"

#define TRY(call)                      \
    do {                               \
        rc = (call);                   \
        if (rc != cudaSuccess) goto out; \
    } while (0)

static __global__ void fir(const short *raw, float *scratch, int n, struct steering s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long t0 = clock64();
    while (clock64() - t0 < 6000000) {
    }
    if (i < n) {
        float acc = 0.f;
        for (int k = 0; k < 8; ++k) {
            int j = i - k;
            if (j >= 0) acc += s.weight[k] * raw[j];
        }
        scratch[i] = acc;
    }
}

static __global__ void delay_line(const float *scratch, float *filtered, int n, int delay)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) filtered[i] = i >= delay ? scratch[i - delay] : 0.f;
}

static __global__ void form(const float *port, const float *starboard, float *image, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) image[i] = port[i] + 2.f * starboard[i];
}

cudaError_t beams_open(beamformer *b, int samples)
{
    cudaError_t rc = cudaSuccess;
    memset(b, 0, sizeof *b);
    b->samples = samples;
    for (int k = 0; k < SIDES; ++k) {
        TRY(cudaStreamCreate(&b->side[k]));
        TRY(cudaMallocHost((void **)&b->raw_pinned[k], samples * sizeof(short)));
        TRY(cudaMalloc((void **)&b->raw[k], samples * sizeof(short)));
        TRY(cudaMalloc((void **)&b->filtered[k], samples * sizeof(float)));
    }
    TRY(cudaMalloc((void **)&b->image, samples * sizeof(float)));
out:
    return rc;
}

static cudaError_t filter_side(beamformer *b, int k, int ping)
{
    cudaError_t rc = cudaSuccess;
    float *scratch = NULL;
    int blocks = (b->samples + 127) / 128;
    struct steering s = steering_for(k, ping);

    hydrophone(b->raw_pinned[k], b->samples, k, ping);
    TRY(cudaMemcpyAsync(b->raw[k], b->raw_pinned[k], b->samples * sizeof(short), cudaMemcpyHostToDevice, b->side[k]));
    TRY(cudaMallocAsync((void **)&scratch, b->samples * sizeof(float), b->side[k]));
    fir<<<blocks, 128, 0, b->side[k]>>>(b->raw[k], scratch, b->samples, s);
    TRY(cudaGetLastError());
    delay_line<<<blocks, 128, 0, b->side[k]>>>(scratch, b->filtered[k], b->samples, s.delay);
    TRY(cudaGetLastError());
    TRY(cudaFreeAsync(scratch, b->side[k]));
    memset(&s, 0, sizeof s);
out:
    return rc;
}

cudaError_t beams_ping(beamformer *b, int ping, float *image_out)
{
    cudaError_t rc = cudaSuccess;
    for (int k = 0; k < SIDES; ++k) TRY(filter_side(b, k, ping));
    form<<<(b->samples + 127) / 128, 128>>>(b->filtered[0], b->filtered[1], b->image, b->samples);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(image_out, b->image, b->samples * sizeof(float), cudaMemcpyDeviceToHost));
out:
    return rc;
}

void beams_close(beamformer *b)
{
    for (int k = 0; k < SIDES; ++k) {
        cudaFree(b->filtered[k]);
        cudaFree(b->raw[k]);
        cudaFreeHost(b->raw_pinned[k]);
        if (b->side[k]) cudaStreamDestroy(b->side[k]);
    }
    cudaFree(b->image);
}
