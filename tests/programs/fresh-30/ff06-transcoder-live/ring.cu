#include "ring.h"

namespace vt {
namespace {

constexpr unsigned long long kTemporalNs = 12'000'000;

__global__ void denoiseKernel(const std::uint8_t* raw, std::uint8_t* clean, int pixels)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin) : : "memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) : : "memory");
    } while (now - begin < kTemporalNs);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
        clean[i] = (raw[i] + 2) & 0xfc;
}

__global__ void quantiseKernel(const std::uint8_t* clean, std::uint32_t* codes, int width, int block)
{
    __shared__ std::uint32_t energy;
    if (threadIdx.x == 0) energy = 0;
    __syncthreads();
    const int perRow = width / block;
    const int x0 = (blockIdx.x % perRow) * block, y0 = (blockIdx.x / perRow) * block;
    for (int i = threadIdx.x; i < block * block; i += blockDim.x)
        atomicAdd(&energy, (i % 7 + 1) * clean[(y0 + i / block) * width + x0 + i % block]);
    __syncthreads();
    if (threadIdx.x == 0) codes[blockIdx.x] = energy;
}

}  // namespace

Ring::Ring(const Format& format, int depth) : slots_(depth)
{
    const std::size_t codes = sizeof(std::uint32_t) * format.blocks();
    for (Slot& slot : slots_) {
        VT_TRY(cudaMallocHost(&slot.host, format.pixels()));
        VT_TRY(cudaMalloc(&slot.raw, format.pixels()));
        VT_TRY(cudaMalloc(&slot.clean, format.pixels()));
        VT_TRY(cudaMemset(slot.clean, 0, format.pixels()));
        VT_TRY(cudaMalloc(&slot.codes, codes));
        VT_TRY(cudaMallocHost(&slot.payload, codes));
        VT_TRY(cudaEventCreateWithFlags(&slot.uploaded, cudaEventDisableTiming));
        VT_TRY(cudaEventCreateWithFlags(&slot.encoded, cudaEventDisableTiming));
        vacant.post(&slot);
    }
    VT_TRY(cudaDeviceSynchronize());
}

Ring::~Ring()
{
    cudaDeviceSynchronize();
    for (Slot& slot : slots_) {
        for (void* p : {(void*)slot.raw, (void*)slot.clean, (void*)slot.codes}) cudaFree(p);
        cudaFreeHost(slot.host);
        cudaFreeHost(slot.payload);
        cudaEventDestroy(slot.uploaded);
        cudaEventDestroy(slot.encoded);
    }
}

void denoise(const std::uint8_t* raw, std::uint8_t* clean, int pixels, cudaStream_t stream)
{
    denoiseKernel<<<32, 256, 0, stream>>>(raw, clean, pixels);
    VT_TRY(cudaGetLastError());
}

void quantise(const std::uint8_t* clean, std::uint32_t* codes, const Format& format, cudaStream_t stream)
{
    quantiseKernel<<<format.blocks(), 128, 0, stream>>>(clean, codes, format.width, format.block);
    VT_TRY(cudaGetLastError());
}

}  // namespace vt
