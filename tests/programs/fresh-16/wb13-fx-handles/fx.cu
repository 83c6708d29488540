#include <new>

#include "fx.h"

struct fx_settings {
    int gain = 1;
    int reverb_ms = 1;
};

struct fx_context {
    fx_settings settings;
    cudaStream_t stream = nullptr;
    int* partial = nullptr;
};

static constexpr int kPeakBlocks = 16;

__global__ void fx_reverb_kernel(int* samples, int n, int gain, unsigned long long ns) {
    unsigned long long begin, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        samples[i] = samples[i] * gain + (i & 3);
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - begin < ns);
}

__global__ void fx_peak_blocks(const int* samples, int n, int* partial) {
    __shared__ int best[256];
    int m = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        m = max(m, abs(samples[i]));
    best[threadIdx.x] = m;
    __syncthreads();
    for (int w = 128; w > 0; w >>= 1) {
        if (threadIdx.x < w) best[threadIdx.x] = max(best[threadIdx.x], best[threadIdx.x + w]);
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = best[0];
}

__global__ void fx_peak_final(const int* partial, int* peak) {
    int m = 0;
    for (int i = 0; i < kPeakBlocks; ++i) m = max(m, partial[i]);
    *peak = m;
}
static fx_status from(cudaError_t rc) { return rc == cudaSuccess ? FX_OK : FX_CUDA_FAILURE; }

extern "C" fx_status fx_create(fx_handle* handle) {
    if (!handle) return FX_BAD_ARGUMENT;
    fx_context* c = new (std::nothrow) fx_context;
    if (!c) return FX_BAD_ARGUMENT;
    *handle = c;
    return from(cudaMalloc(&c->partial, kPeakBlocks * sizeof(int)));
}

extern "C" fx_status fx_clone(fx_handle* handle, fx_handle source) {
    if (!source) return FX_BAD_ARGUMENT;
    const fx_status rc = fx_create(handle);
    if (rc == FX_OK) (*handle)->settings = source->settings;
    return rc;
}

extern "C" fx_status fx_destroy(fx_handle h) {
    if (!h) return FX_OK;
    const cudaError_t rc = cudaFree(h->partial);
    delete h;
    return from(rc);
}

extern "C" fx_status fx_set_stream(fx_handle h, cudaStream_t stream) {
    h->stream = stream;
    return FX_OK;
}
extern "C" fx_status fx_set_gain(fx_handle h, int gain) {
    h->settings.gain = gain;
    return FX_OK;
}
extern "C" fx_status fx_set_reverb_ms(fx_handle h, int ms) {
    h->settings.reverb_ms = ms;
    return FX_OK;
}

extern "C" fx_status fx_reverb(fx_handle h, int* samples, int n) {
    fx_reverb_kernel<<<8, 256, 0, h->stream>>>(samples, n, h->settings.gain,
                                               h->settings.reverb_ms * 1000000ull);
    return from(cudaGetLastError());
}

extern "C" fx_status fx_peak(fx_handle h, const int* samples, int n, int* peak) {
    fx_peak_blocks<<<kPeakBlocks, 256, 0, h->stream>>>(samples, n, h->partial);
    fx_peak_final<<<1, 1, 0, h->stream>>>(h->partial, peak);
    return from(cudaGetLastError());
}
