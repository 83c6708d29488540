// Built-in filters: deblock and sharpen.
#include "plugin_api.h"

namespace {

constexpr int kThreads = 256;

__device__ void dwell(unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    while (t - t0 < ns);
}

// Four taps per pixel.
__global__ void deblockKernel(unsigned *px, unsigned *taps, int n, unsigned long long ns)
{
    dwell(ns);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < 4; ++k) taps[k * n + i] = px[i] * (2u * k + 1u);
    unsigned s = 0;
    for (int k = 0; k < 4; ++k) s += taps[k * n + i];
    px[i] = s + 5u;
}

// Sixteen levels per pixel.
__global__ void sharpenKernel(unsigned *px, unsigned *levels, int n, unsigned long long ns)
{
    dwell(ns);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = px[i];
    for (int k = 0; k < 16; ++k) {
        levels[k * n + i] = v;
        v = v * 3u + 1u;
    }
    px[i] = levels[15 * n + i] ^ levels[7 * n + i];
}

void enqueueDeblock(const tc_services *host, tc_session *s)
{
    const int n = static_cast<int>(host->pixels(s));
    auto *taps = static_cast<unsigned *>(host->scratch(s, 4 * n * sizeof(unsigned)));
    deblockKernel<<<n / kThreads, kThreads, 0, host->queue(s)>>>(host->frame(s), taps, n, tc::kFilterNs);
    host->report(s, cudaGetLastError());
}

unsigned modelDeblock(unsigned p) { return p * 16u + 5u; }

void enqueueSharpen(const tc_services *host, tc_session *s)
{
    const int n = static_cast<int>(host->pixels(s));
    auto *levels = static_cast<unsigned *>(host->scratch(s, 16 * n * sizeof(unsigned)));
    sharpenKernel<<<n / kThreads, kThreads, 0, host->queue(s)>>>(host->frame(s), levels, n, tc::kFilterNs);
    host->report(s, cudaGetLastError());
}

unsigned modelSharpen(unsigned p)
{
    unsigned level[16];
    for (unsigned &l : level) {
        l = p;
        p = p * 3u + 1u;
    }
    return level[15] ^ level[7];
}

}  // namespace

TC_PLUGIN(deblock, {"deblock", "2.1", enqueueDeblock, modelDeblock});
TC_PLUGIN(sharpen, {"sharpen", "1.4", enqueueSharpen, modelSharpen});
