#include "tiles.h"

namespace {

__global__ void predict(const unsigned char *src, int *residual, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        residual[i] = (int)src[i] - (i > 0 ? (int)src[i - 1] : 0);
}

__global__ void entropy(const int *residual, int *dst, int n, int quality, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        dst[i] = residual[i] * quality;
}

} // namespace

void TileEncoder::encode(const TileJob &job, cudaStream_t stream)
{
    Buffer<int> residual(alloc_, job.pixels, stream);
    predict<<<8, 256, 0, stream>>>(job.src, residual.data(), job.pixels);
    entropy<<<8, 256, 0, stream>>>(residual.data(), job.dst, job.pixels, job.quality, 15ull * 1000 * 1000);
    CU(cudaGetLastError());
}
