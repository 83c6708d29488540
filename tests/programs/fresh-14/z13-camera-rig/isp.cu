#include "isp.h"

namespace rig {
namespace {

constexpr int kGrid = 8;
constexpr int kBlock = 256;

// Cost model of the fixed function hardware the stages are calibrated against.
__device__ void pace(unsigned microseconds)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < 1000ull * microseconds);
}

__global__ void debayer_kernel(Frame f)
{
    pace(10000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < f.pixels; i += gridDim.x * blockDim.x)
        f.rgb[i] = f.raw[i] * 3u + (i & 3);
}

__global__ void curve_kernel(Frame f, ToneCurve curve)
{
    pace(6000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < f.pixels; i += gridDim.x * blockDim.x)
        f.rgb[i] = f.rgb[i] * curve.gain[f.rgb[i] & 15];
}

__global__ void sharpen_kernel(Frame f, int amount)
{
    pace(10000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < f.pixels; i += gridDim.x * blockDim.x)
        f.rgb[i] += amount * (i % 5);
}

}  // namespace

ToneCurve ToneCurve::make(int contrast)
{
    ToneCurve c;
    for (int k = 0; k < 16; ++k)
        c.gain[k] = static_cast<std::uint16_t>(contrast + 3 * k);
    return c;
}

void debayer(const Frame& f, cudaStream_t stream)
{
    debayer_kernel<<<kGrid, kBlock, 0, stream>>>(f);
    require(cudaGetLastError());
}

void apply_curve(const Frame& f, const ToneCurve& curve, cudaStream_t stream)
{
    curve_kernel<<<kGrid, kBlock, 0, stream>>>(f, curve);
    require(cudaGetLastError());
}

void sharpen(const Frame& f, int amount, cudaStream_t stream)
{
    sharpen_kernel<<<kGrid, kBlock, 0, stream>>>(f, amount);
    require(cudaGetLastError());
}

}  // namespace rig
