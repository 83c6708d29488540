#include "downlink.h"

#include <cub/block/block_reduce.cuh>
#include <string.h>

#define DL_TRY(expr)                      \
    do {                                  \
        cudaError_t dl_e_ = (expr);       \
        if (dl_e_ != cudaSuccess) {       \
            r->cuda_error = dl_e_;        \
            return DL_CUDA;               \
        }                                 \
    } while (0)

enum { THREADS = 256 };

/* Carrier statistics live in the header, the symbols in the payload. */
__global__ void probe_header(const volatile uint32_t *frame, uint32_t *quality) {
    if (threadIdx.x == 0) {
        uint32_t q = 0;
        for (int i = 0; i < DL_HEADER_WORDS; ++i) q = q * 31u + frame[i];
        *quality = q;
    }
}

__global__ void despread(const volatile uint32_t *frame, uint32_t *digest, unsigned long long lock_ns) {
    typedef cub::BlockReduce<uint32_t, THREADS> Reduce;
    __shared__ typename Reduce::TempStorage temp;

    /* the loop filter settles for a fixed time before symbols are taken */
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < lock_ns);

    uint32_t part = 0;
    for (int i = threadIdx.x; i < DL_PAYLOAD_WORDS; i += THREADS) {
        part += frame[DL_HEADER_WORDS + i] * (2u * (uint32_t)i + 1u);
    }
    const uint32_t total = Reduce(temp).Sum(part);
    if (threadIdx.x == 0) *digest = total;
}

int dl_open(dl_ring *r) {
    memset(r, 0, sizeof *r);
    DL_TRY(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking));
    for (int i = 0; i < DL_SLOTS; ++i) {
        dl_slot *s = &r->slot[i];
        DL_TRY(cudaHostAlloc((void **)&s->host, DL_FRAME_WORDS * sizeof(uint32_t), cudaHostAllocMapped));
        DL_TRY(cudaHostGetDevicePointer((void **)&s->dev, s->host, 0));
        DL_TRY(cudaEventCreateWithFlags(&s->drained, cudaEventDisableTiming));
    }
    DL_TRY(cudaMalloc((void **)&r->d_quality, DL_MAX_FRAMES * sizeof(uint32_t)));
    DL_TRY(cudaMalloc((void **)&r->d_digest, DL_MAX_FRAMES * sizeof(uint32_t)));
    DL_TRY(cudaMemsetAsync(r->d_quality, 0, DL_MAX_FRAMES * sizeof(uint32_t), r->stream));
    DL_TRY(cudaMemsetAsync(r->d_digest, 0, DL_MAX_FRAMES * sizeof(uint32_t), r->stream));
    return DL_OK;
}

int dl_acquire(dl_ring *r, uint32_t **words) {
    dl_slot *s = &r->slot[r->head];
    if (r->frames == DL_MAX_FRAMES) return DL_FULL;
    if (s->in_flight) {
        DL_TRY(cudaEventSynchronize(s->drained));
        s->in_flight = 0;
    }
    *words = s->host;
    return DL_OK;
}

int dl_submit(dl_ring *r) {
    dl_slot *s = &r->slot[r->head];
    const unsigned frame = r->frames++;

    probe_header<<<1, 32, 0, r->stream>>>(s->dev, r->d_quality + frame);
    DL_TRY(cudaGetLastError());
    DL_TRY(cudaEventRecord(s->drained, r->stream));
    s->in_flight = 1;
    despread<<<1, THREADS, 0, r->stream>>>(s->dev, r->d_digest + frame, 30ull * 1000 * 1000);
    DL_TRY(cudaGetLastError());

    r->head = (r->head + 1) % DL_SLOTS;
    return DL_OK;
}

int dl_finish(dl_ring *r, uint32_t *quality, uint32_t *digest) {
    DL_TRY(cudaStreamSynchronize(r->stream));
    DL_TRY(cudaMemcpy(quality, r->d_quality, r->frames * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    DL_TRY(cudaMemcpy(digest, r->d_digest, r->frames * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    return DL_OK;
}

void dl_close(dl_ring *r) {
    for (int i = 0; i < DL_SLOTS; ++i) {
        if (r->slot[i].drained) cudaEventDestroy(r->slot[i].drained);
        if (r->slot[i].host) cudaFreeHost(r->slot[i].host);
    }
    cudaFree(r->d_quality);
    cudaFree(r->d_digest);
    if (r->stream) cudaStreamDestroy(r->stream);
}
