// Map viewer: tiles are decoded on one stream and blended into the canvas on
// another; tile memory comes from the cache.
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>

#include <cstdio>
#include <cstdlib>

#include "block_cache.h"

#define OK(call)                                                \
    do {                                                        \
        const cudaError_t e_ = (call);                          \
        if (e_ != cudaSuccess) {                                \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));    \
            std::exit(1);                                       \
        }                                                       \
    } while (0)

namespace {

constexpr int kPixels = 256 * 256;
constexpr int kTiles = 10;
constexpr long long kBlendCycles = 40'000'000;

__global__ void decodeTile(int* tile, int n, int seed) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        tile[i] = seed + (i & 15);
}

__global__ void blendTile(const int* tile, int* canvas, int n, long long cycles) {
    const long long t0 = clock64();
    while (clock64() - t0 < cycles) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        canvas[i] += tile[i] - (i & 15);
}

}  // namespace

int main() {
    cudaStream_t decode, blend;
    cudaEvent_t decoded;
    OK(cudaStreamCreateWithFlags(&decode, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&blend, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&decoded, cudaEventDisableTiming));

    int* canvas = nullptr;
    OK(cudaMalloc(&canvas, kPixels * sizeof(int)));
    OK(cudaMemsetAsync(canvas, 0, kPixels * sizeof(int), blend));

    int wrong = 0;
    {
        tiles::BlockCache cache;
        int want = 0;
        for (int t = 0; t < kTiles; ++t) {
            tiles::TileHandle tile(cache, kPixels * sizeof(int), decode);
            OK(tile.status());
            decodeTile<<<32, 256, 0, decode>>>(tile.as<int>(), kPixels, 100 * t + 1);
            OK(cudaGetLastError());
            OK(cudaEventRecord(decoded, decode));
            OK(cudaStreamWaitEvent(blend, decoded, 0));
            blendTile<<<32, 256, 0, blend>>>(tile.as<int>(), canvas, kPixels, kBlendCycles);
            OK(cudaGetLastError());
            OK(tile.lend(blend));
            want += 100 * t + 1;
        }
        thrust::device_ptr<int> first(canvas);
        const auto right = thrust::count(thrust::cuda::par.on(blend), first, first + kPixels, want);
        wrong = kPixels - static_cast<int>(right);
    }

    OK(cudaFree(canvas));
    OK(cudaEventDestroy(decoded));
    OK(cudaStreamDestroy(blend));
    OK(cudaStreamDestroy(decode));
    if (wrong != 0) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
