#include "codecs.cuh"

namespace codec {
namespace {

// the entropy stage of the real codec takes its time; modelled by a dwell
__device__ void entropy_stage(unsigned long long ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}

__global__ void delta_kernel(Block b, int stride)
{
    entropy_stage(30'000'000ull);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < b.count; i += gridDim.x * blockDim.x)
        b.dst[i] = i >= stride ? b.src[i] - b.src[i - stride] : b.src[i];
}

__global__ void zigzag_kernel(Block b)
{
    entropy_stage(45'000'000ull);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < b.count; i += gridDim.x * blockDim.x)
        b.dst[i] = (b.src[i] << 1) ^ (b.src[i] >> 31);
}

__global__ void plane_kernel(Block b, int bits, unsigned mask)
{
    entropy_stage(25'000'000ull);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < b.count; i += gridDim.x * blockDim.x)
        b.dst[i] = static_cast<int>((static_cast<unsigned>(b.src[i]) >> bits) & mask);
}

constexpr int kGrid = 32, kThreads = 256;

} // namespace

void encode(const Any &a, Block b, cudaStream_t stream)
{
    std::visit(overloaded{
        [&](const Delta &d)  { delta_kernel<<<kGrid, kThreads, 0, stream>>>(b, d.stride); },
        [&](const ZigZag &)  { zigzag_kernel<<<kGrid, kThreads, 0, stream>>>(b); },
        [&](const Plane &p)  { plane_kernel<<<kGrid, kThreads, 0, stream>>>(b, p.bits, p.mask); },
    }, a);
}

} // namespace codec
