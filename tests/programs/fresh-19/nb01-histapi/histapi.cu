// histapi: byte histogram accumulated over many calls, C interface.
//
//   histo_create -> histo_set_stream* -> histo_accumulate* -> histo_fetch -> histo_destroy
//
// A handle is not thread safe.  Work is enqueued on the handle's current stream;
// changing the stream keeps the order of everything issued before the change.
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <new>

extern "C" {

typedef enum {
    HISTO_OK = 0,
    HISTO_INVALID = 1,
    HISTO_CUDA = 2,
    HISTO_CAPTURING = 3,
    HISTO_NOMEM = 4
} histo_status;

typedef struct histo_ctx *histo_t;

}  // extern "C"

struct histo_ctx {
    cudaStream_t stream = nullptr;
    cudaEvent_t handoff = nullptr;
    unsigned *totals = nullptr;     // 256 running counts
    unsigned *partials = nullptr;   // grow-only: blocks x 256
    int partial_blocks = 0;
    int max_blocks = 0;
    cudaError_t last = cudaSuccess;
};

namespace {

constexpr int kBins = 256;
constexpr int kThreads = 256;
static_assert(kBins == kThreads, "one thread owns one bin");

__global__ void count_kernel(const std::uint8_t *data, std::size_t n, unsigned *partials)
{
    __shared__ unsigned local[kBins];
    local[threadIdx.x] = 0u;
    __syncthreads();
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    partials[std::size_t(blockIdx.x) * kBins + threadIdx.x] = local[threadIdx.x];
}

__global__ void merge_kernel(const unsigned *partials, int blocks, unsigned *totals)
{
    unsigned sum = 0;
    for (int b = 0; b < blocks; ++b)
        sum += partials[std::size_t(b) * kBins + threadIdx.x];
    totals[threadIdx.x] += sum;   // a single block runs, launches are stream ordered
}

histo_status record(histo_t h, cudaError_t e)
{
    if (e == cudaSuccess) return HISTO_OK;
    h->last = e;
    return HISTO_CUDA;
}

#define HISTO_TRY(h, expr)                                       \
    do {                                                         \
        const cudaError_t e_ = (expr);                           \
        if (e_ != cudaSuccess) return record((h), e_);           \
    } while (0)

histo_status grow(histo_t h, int blocks)
{
    if (blocks <= h->partial_blocks) return HISTO_OK;
    cudaStreamCaptureStatus st = cudaStreamCaptureStatusNone;
    HISTO_TRY(h, cudaStreamIsCapturing(h->stream, &st));
    if (st != cudaStreamCaptureStatusNone) return HISTO_CAPTURING;
    if (h->partials) {
        unsigned *old = h->partials;
        h->partials = nullptr;
        h->partial_blocks = 0;
        HISTO_TRY(h, cudaFreeAsync(old, h->stream));
    }
    HISTO_TRY(h, cudaMallocAsync(reinterpret_cast<void **>(&h->partials),
                                 std::size_t(blocks) * kBins * sizeof(unsigned), h->stream));
    h->partial_blocks = blocks;
    return HISTO_OK;
}

void release(histo_t h)
{
    // Everything of ours is ordered on h->stream.
    (void)cudaStreamSynchronize(h->stream);
    if (h->partials) (void)cudaFree(h->partials);
    if (h->totals) (void)cudaFree(h->totals);
    if (h->handoff) (void)cudaEventDestroy(h->handoff);
    delete h;
}

}  // namespace

extern "C" histo_status histo_create(histo_t *out, cudaStream_t stream)
{
    if (!out) return HISTO_INVALID;
    *out = nullptr;
    histo_t h = new (std::nothrow) histo_ctx;
    if (!h) return HISTO_NOMEM;
    h->stream = stream;
    int dev = 0, sms = 0;
    cudaError_t e = cudaGetDevice(&dev);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev);
    if (e == cudaSuccess) e = cudaEventCreateWithFlags(&h->handoff, cudaEventDisableTiming);
    if (e == cudaSuccess) e = cudaMalloc(reinterpret_cast<void **>(&h->totals), kBins * sizeof(unsigned));
    if (e == cudaSuccess) e = cudaMemsetAsync(h->totals, 0, kBins * sizeof(unsigned), stream);
    if (e != cudaSuccess) { release(h); return HISTO_CUDA; }
    h->max_blocks = sms * 4;
    *out = h;
    return HISTO_OK;
}

// Both the old and the new stream must be alive during this call.
extern "C" histo_status histo_set_stream(histo_t h, cudaStream_t stream)
{
    if (!h) return HISTO_INVALID;
    if (stream == h->stream) return HISTO_OK;
    HISTO_TRY(h, cudaEventRecord(h->handoff, h->stream));
    HISTO_TRY(h, cudaStreamWaitEvent(stream, h->handoff, 0));
    h->stream = stream;
    return HISTO_OK;
}

extern "C" histo_status histo_accumulate(histo_t h, const std::uint8_t *d_data, std::size_t n)
{
    if (!h || (!d_data && n)) return HISTO_INVALID;
    if (n == 0) return HISTO_OK;
    const std::size_t want = (n + kThreads * 16 - 1) / (kThreads * 16);
    const int blocks = want < std::size_t(h->max_blocks) ? int(want) : h->max_blocks;
    const histo_status s = grow(h, blocks);
    if (s != HISTO_OK) return s;
    count_kernel<<<blocks, kThreads, 0, h->stream>>>(d_data, n, h->partials);
    HISTO_TRY(h, cudaGetLastError());
    merge_kernel<<<1, kBins, 0, h->stream>>>(h->partials, blocks, h->totals);
    return record(h, cudaGetLastError());
}

extern "C" histo_status histo_reset(histo_t h)
{
    if (!h) return HISTO_INVALID;
    return record(h, cudaMemsetAsync(h->totals, 0, kBins * sizeof(unsigned), h->stream));
}

// Blocks until the counts have arrived in `counts` (any host memory).
extern "C" histo_status histo_fetch(histo_t h, unsigned counts[256])
{
    if (!h || !counts) return HISTO_INVALID;
    HISTO_TRY(h, cudaMemcpyAsync(counts, h->totals, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost, h->stream));
    return record(h, cudaStreamSynchronize(h->stream));
}

extern "C" cudaError_t histo_last_error(histo_t h) { return h ? h->last : cudaErrorInvalidValue; }

extern "C" void histo_destroy(histo_t h)
{
    if (h) release(h);
}
