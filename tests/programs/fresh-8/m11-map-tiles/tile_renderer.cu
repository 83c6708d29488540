#include "tile_renderer.h"

namespace {

__global__ void Rasterise(TileKey key, unsigned* pixels, int n, unsigned long long shade_ns) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0)::"memory");
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  } while (t - t0 < shade_ns);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    pixels[i] = key.zoom * 1000003u + key.x * 8191u + key.y * 131u + i;
}

}  // namespace

TileRenderer::TileRenderer(StreamPool& streams, int slots) : streams_(streams) {
  const size_t bytes = static_cast<size_t>(slots) * kPixels * sizeof(unsigned);
  MAP_CUDA(cudaMalloc(&device_, bytes));
  MAP_CUDA(cudaMallocHost(&host_, bytes));
}

TileRenderer::~TileRenderer() {
  cudaFreeHost(host_);
  cudaFree(device_);
}

PendingTile TileRenderer::Render(TileKey key, int slot) {
  StreamPool::Lease lane = streams_.Acquire();
  unsigned* d = device_ + static_cast<size_t>(slot) * kPixels;
  unsigned* h = host_ + static_cast<size_t>(slot) * kPixels;

  Rasterise<<<16, 256, 0, lane.get()>>>(key, d, kPixels, 40'000'000ull);
  MAP_CUDA(cudaGetLastError());
  MAP_CUDA(cudaMemcpyAsync(h, d, kPixels * sizeof(unsigned), cudaMemcpyDeviceToHost, lane.get()));

  cudaEvent_t done;
  MAP_CUDA(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  MAP_CUDA(cudaEventRecord(done, lane.get()));
  return PendingTile(key, slot, done);
}
