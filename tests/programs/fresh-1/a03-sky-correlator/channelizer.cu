#include "stages.h"

namespace sky {
namespace {

__device__ float tapTable[16] = {1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f, 8.f, 7.f, 6.f, 5.f, 4.f, 3.f, 2.f, 1.f};
__device__ float lastLevel[1 << 18];

__global__ void channelize(const short* voltages, float* spectrum, int bins, unsigned* progress) {
    for (int b = blockIdx.x * blockDim.x + threadIdx.x; b < bins; b += gridDim.x * blockDim.x) {
        float acc = 0.f;
        for (int t = 0; t < 16; ++t) acc += tapTable[t] * voltages[(b + t) % bins];
        spectrum[b] = acc;
        lastLevel[b] = acc;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(progress, 1u);
}

}  // namespace

void Channelizer::process(int index, const short* voltages, short* scratch, float* spectra, unsigned* progress) {
    SKY_CHECK(cudaMemcpyAsync(scratch, voltages, g_.bins * sizeof(short), cudaMemcpyHostToDevice, stream_));
    channelize<<<g_.blocks, 128, 0, stream_>>>(scratch, spectra + static_cast<size_t>(index) * g_.bins, g_.bins, progress);
    SKY_CHECK(cudaGetLastError());
}

}  // namespace sky
