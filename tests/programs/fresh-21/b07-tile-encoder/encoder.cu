#include "encoder.h"

#include <string.h>

#define TRY(call)                                   \
    do {                                            \
        cudaError_t try_status = (call);            \
        if (try_status != cudaSuccess) {            \
            return try_status;                      \
        }                                           \
    } while (0)

__host__ __device__ static unsigned int transform(unsigned int pixel, unsigned int neighbour, unsigned int tile)
{
    return (pixel * 2654435761u) ^ (neighbour << 7) ^ (tile * 40503u);
}

__device__ static unsigned long long device_ns(void)
{
    unsigned long long value;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(value));
    return value;
}

/* Rate-distortion search of one tile within a fixed time budget. */
__global__ void encode_tile(const unsigned char *frame, unsigned int *out, int tile, int pixels,
                            unsigned long long search_ns)
{
    const unsigned char *source = frame + (size_t)tile * pixels;
    unsigned long long begin = device_ns();
    unsigned int candidates = 0;
    while (device_ns() - begin < search_ns) {
        candidates = (candidates + 1u) | 1u;
    }
    if (candidates == 0u && search_ns != 0) {
        return;
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
        out[i] = transform(source[i], source[(i + 1) % pixels], (unsigned int)tile);
    }
}

/* Progress counter shown by the operator console. */
__global__ void tick(unsigned int *ticker)
{
    atomicAdd(ticker, 1u);
}

unsigned int enc_reference(const unsigned char *pixels, int tile, int tile_pixels, int index)
{
    const unsigned char *source = pixels + (size_t)tile * tile_pixels;
    return transform(source[index], source[(index + 1) % tile_pixels], (unsigned int)tile);
}

static int tiles_per_lane(const enc_config *config)
{
    return (config->tiles + config->lanes - 1) / config->lanes;
}

cudaError_t enc_open(encoder *enc, const enc_config *config)
{
    memset(enc, 0, sizeof *enc);
    enc->config = *config;
    TRY(cudaMalloc((void **)&enc->frame, (size_t)config->tiles * config->tile_pixels));
    TRY(cudaMalloc((void **)&enc->ticker, sizeof *enc->ticker));
    TRY(cudaMemset(enc->ticker, 0, sizeof *enc->ticker));
    for (int i = 0; i < config->lanes; ++i) {
        enc_lane *lane = &enc->lanes[i];
        size_t bytes = (size_t)config->tile_pixels * sizeof(unsigned int);
        TRY(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking));
        TRY(cudaEventCreateWithFlags(&lane->finished, cudaEventDisableTiming));
        TRY(cudaMalloc((void **)&lane->coefficients, bytes));
        TRY(cudaHostAlloc((void **)&lane->bitstream, bytes * tiles_per_lane(config), cudaHostAllocDefault));
    }
    return cudaSuccess;
}

cudaError_t enc_load_frame(encoder *enc, const unsigned char *pixels)
{
    size_t bytes = (size_t)enc->config.tiles * enc->config.tile_pixels;
    TRY(cudaMemcpy(enc->frame, pixels, bytes, cudaMemcpyHostToDevice));
    return cudaDeviceSynchronize();
}

cudaError_t enc_submit(encoder *enc, int index, int tile)
{
    const enc_config *config = &enc->config;
    enc_lane *lane = &enc->lanes[index];
    size_t bytes = (size_t)config->tile_pixels * sizeof(unsigned int);
    unsigned int *slot = lane->bitstream + (size_t)(lane->encoded % tiles_per_lane(config)) * config->tile_pixels;

    encode_tile<<<16, 256, 0, lane->stream>>>(enc->frame, lane->coefficients, tile, config->tile_pixels,
                                              config->search_ns);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(slot, lane->coefficients, bytes, cudaMemcpyDeviceToHost, lane->stream));
    TRY(cudaEventRecord(lane->finished, lane->stream));
    lane->encoded++;

    tick<<<1, 1>>>(enc->ticker);
    return cudaGetLastError();
}

cudaError_t enc_flush(encoder *enc)
{
    for (int i = 0; i < enc->config.lanes; ++i) {
        TRY(cudaEventSynchronize(enc->lanes[i].finished));
    }
    return cudaSuccess;
}

cudaError_t enc_ticks(encoder *enc, unsigned int *ticks)
{
    return cudaMemcpy(ticks, enc->ticker, sizeof *ticks, cudaMemcpyDeviceToHost);
}

void enc_close(encoder *enc)
{
    for (int i = 0; i < enc->config.lanes; ++i) {
        enc_lane *lane = &enc->lanes[i];
        cudaFreeHost(lane->bitstream);
        cudaFree(lane->coefficients);
        cudaEventDestroy(lane->finished);
        cudaStreamDestroy(lane->stream);
    }
    cudaFree(enc->ticker);
    cudaFree(enc->frame);
}
