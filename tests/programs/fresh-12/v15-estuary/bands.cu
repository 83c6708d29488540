#include "bands.h"

namespace estuary {
namespace {

__global__ void flood_kernel(uint32_t* level, int band) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kCells; i += gridDim.x * blockDim.x) {
        level[i] = initial_level(band, i);
    }
}

__global__ void relax_kernel(uint32_t* out, const uint32_t* in, const uint32_t* west, const uint32_t* east) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < 2000000ull);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kCells; i += gridDim.x * blockDim.x) {
        const uint32_t w = i == 0 ? west[kCells - 1] : in[i - 1];
        const uint32_t e = i == kCells - 1 ? east[0] : in[i + 1];
        out[i] = relax(w, in[i], e);
    }
}

}  // namespace

cudaError_t flood(const Band& band) {
    flood_kernel<<<4, 256, 0, band.stream>>>(band.level[0], band.index);
    return cudaGetLastError();
}

cudaError_t relax_band(const Band& band, int parity) {
    relax_kernel<<<8, 256, 0, band.stream>>>(band.level[parity ^ 1], band.level[parity],
                                             band.west->level[parity], band.east->level[parity]);
    return cudaGetLastError();
}

}  // namespace estuary
