#include "relay.h"

#include <stdlib.h>
#include <string.h>

struct relay {
    relay_config config;
    cudaError_t error;
    cudaStream_t filter;
    cudaStream_t feed;
    relay_plot *host_ring;
    relay_plot *ring;
    relay_plot *tracks;
    relay_plot *host_tracks;
    unsigned *published;           /* on the device: scans published, top bit when closed */
    volatile unsigned *consumed;   /* in host memory, written by the filter */
    unsigned sent;
    int running;
};

#define CLOSED 0x80000000u

/* Resident: takes scan after scan off the ring until the feed is closed. */
__global__ void filter_scans(const relay_plot *ring, relay_plot *tracks, const volatile unsigned *published,
                             volatile unsigned *consumed, int count, int depth, float gain)
{
    __shared__ unsigned word;
    unsigned scan = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            do {
                word = *published;
            } while ((word & ~CLOSED) == scan && !(word & CLOSED));
            __threadfence();
        }
        __syncthreads();
        const unsigned seen = word;
        if ((seen & ~CLOSED) == scan)
            return;
        for (; scan < (seen & ~CLOSED); ++scan) {
            const volatile relay_plot *plots = ring + (size_t)(scan % depth) * count;
            for (int i = threadIdx.x; i < count; i += blockDim.x) {
                tracks[i].x += gain * (plots[i].x - tracks[i].x);
                tracks[i].y += gain * (plots[i].y - tracks[i].y);
            }
            __syncthreads();
            if (threadIdx.x == 0) {
                __threadfence_system();
                *consumed = scan + 1;
            }
        }
        __syncthreads();
    }
}

__global__ void publish_scan(unsigned *published)
{
    __threadfence();
    atomicAdd(published, 1u);
}

__global__ void close_feed(unsigned *published)
{
    atomicOr(published, CLOSED);
}

#define TRY(call)                                                        \
    do {                                                                 \
        if ((relay->error = (call)) != cudaSuccess) return RELAY_CUDA;   \
    } while (0)

static size_t scan_bytes(const relay_t *relay)
{
    return sizeof(relay_plot) * (size_t)relay->config.tracks;
}

static relay_result prepare(relay_t *relay)
{
    const size_t bytes = scan_bytes(relay);
    TRY(cudaStreamCreateWithFlags(&relay->filter, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&relay->feed, cudaStreamNonBlocking));
    TRY(cudaMallocHost((void **)&relay->host_ring, bytes * relay->config.depth));
    TRY(cudaMallocHost((void **)&relay->host_tracks, bytes));
    TRY(cudaMallocHost((void **)&relay->consumed, sizeof(unsigned)));
    TRY(cudaMalloc((void **)&relay->ring, bytes * relay->config.depth));
    TRY(cudaMalloc((void **)&relay->tracks, bytes));
    TRY(cudaMalloc((void **)&relay->published, sizeof(unsigned)));
    *relay->consumed = 0;
    TRY(cudaMemset(relay->tracks, 0, bytes));
    TRY(cudaMemset(relay->published, 0, sizeof(unsigned)));
    TRY(cudaMemset(relay->ring, 0, bytes * relay->config.depth));
    TRY(cudaDeviceSynchronize());
    return RELAY_OK;
}

static relay_result start_filter(relay_t *relay, cudaStream_t stream)
{
    const relay_config *config = &relay->config;
    filter_scans<<<1, 256, 0, stream>>>(relay->ring, relay->tracks, relay->published, relay->consumed,
                                        config->tracks, config->depth, config->gain);
    TRY(cudaGetLastError());
    return RELAY_OK;
}

/* Self test on power up: one blank scan through the whole chain. */
static relay_result rehearse(relay_t *relay)
{
    publish_scan<<<1, 1, 0, relay->feed>>>(relay->published);
    close_feed<<<1, 1, 0, relay->feed>>>(relay->published);
    const relay_result result = start_filter(relay, relay->feed);
    if (result != RELAY_OK)
        return result;
    TRY(cudaStreamSynchronize(relay->feed));
    if (*relay->consumed != 1)
        return RELAY_BUSY;
    *relay->consumed = 0;
    TRY(cudaMemset(relay->published, 0, sizeof(unsigned)));
    TRY(cudaDeviceSynchronize());
    return RELAY_OK;
}

relay_result relay_open(const relay_config *config, relay_t **out)
{
    relay_t *relay = (relay_t *)calloc(1, sizeof *relay);
    *out = relay;
    if (!relay)
        return RELAY_MEMORY;
    relay->config = *config;
    relay_result result = prepare(relay);
    if (result == RELAY_OK)
        result = rehearse(relay);
    if (result == RELAY_OK)
        result = start_filter(relay, relay->filter);
    relay->running = result == RELAY_OK;
    return result;
}

relay_plot *relay_next(relay_t *relay)
{
    if (relay->sent - *relay->consumed >= (unsigned)relay->config.depth)
        return NULL;
    return relay->host_ring + (size_t)(relay->sent % relay->config.depth) * relay->config.tracks;
}

relay_result relay_send(relay_t *relay)
{
    relay_plot *const from = relay_next(relay);
    if (!from)
        return RELAY_BUSY;
    relay_plot *const to = relay->ring + (from - relay->host_ring);
    TRY(cudaMemcpyAsync(to, from, scan_bytes(relay), cudaMemcpyHostToDevice, relay->feed));
    publish_scan<<<1, 1, 0, relay->feed>>>(relay->published);
    TRY(cudaGetLastError());
    ++relay->sent;
    return RELAY_OK;
}

relay_result relay_finish(relay_t *relay, relay_plot *tracks)
{
    close_feed<<<1, 1, 0, relay->feed>>>(relay->published);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(relay->host_tracks, relay->tracks, scan_bytes(relay), cudaMemcpyDeviceToHost, relay->filter));
    TRY(cudaStreamSynchronize(relay->filter));
    relay->running = 0;
    memcpy(tracks, relay->host_tracks, scan_bytes(relay));
    return RELAY_OK;
}

void relay_close(relay_t *relay)
{
    if (!relay)
        return;
    if (relay->running)
        close_feed<<<1, 1, 0, relay->feed>>>(relay->published);
    cudaFree(relay->ring);
    cudaFree(relay->tracks);
    cudaFree(relay->published);
    cudaFreeHost(relay->host_ring);
    cudaFreeHost(relay->host_tracks);
    cudaFreeHost((void *)relay->consumed);
    if (relay->feed)
        cudaStreamDestroy(relay->feed);
    if (relay->filter)
        cudaStreamDestroy(relay->filter);
    free(relay);
}

cudaError_t relay_error(const relay_t *relay)
{
    return relay ? relay->error : cudaErrorMemoryAllocation;
}
