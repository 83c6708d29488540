#include "levels_table.h"

namespace grade {
namespace {
constexpr int kThreads = 256;

__global__ void stretch(const unsigned char* pixels, int count, unsigned char* entries) {
    __shared__ int lo, hi;
    if (threadIdx.x == 0) {
        lo = 255;
        hi = 0;
    }
    __syncthreads();
    int a = 255, b = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        a = min(a, (int)pixels[i]);
        b = max(b, (int)pixels[i]);
    }
    atomicMin(&lo, a);
    atomicMax(&hi, b);
    __syncthreads();
    const int span = max(hi - lo, 1);
    const int v = (int)threadIdx.x;
    entries[v] = (unsigned char)min(max((v - lo) * 255 / span, 0), 255);
}
}  // namespace

LevelsTable::LevelsTable(const Host& host) : host_(host) {
    cudaFuncAttributes attr;
    GR_CUDA(cudaFuncGetAttributes(&attr, stretch));
    GR_CUDA(cudaMalloc(&entries_, 256));
    GR_CUDA(cudaMemsetAsync(entries_, 0, 256, host_.stream));
}

LevelsTable::~LevelsTable() { cudaFree(entries_); }

void LevelsTable::refresh(const FrameView& frame) {
    stretch<<<1, kThreads, 0, host_.stream>>>(frame.pixels, frame.count, entries_);
    GR_CUDA(cudaGetLastError());
}
}  // namespace grade
