// Slippy-map renderer: tiles come from a decoder in pageable memory, go to the GPU through
// tile_uploader and are blended into a mosaic on the renderer's stream.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "tile_uploader.hpp"

namespace {

constexpr int kTileDim = 768;
constexpr int kTilePixels = kTileDim * kTileDim;
constexpr int kTiles = 9;

std::uint32_t texel(int tile, int i) { return (static_cast<std::uint32_t>(i) * 2246822519u) ^ (tile * 0x9E3779B9u); }

void decode_tile(int tile, std::vector<std::uint32_t>& out) {
  for (int i = 0; i < kTilePixels; ++i) out[i] = texel(tile, i);
}

__global__ void blend(std::uint32_t const* tile, std::uint32_t* mosaic, int n, std::uint32_t weight, long long cycles) {
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mosaic[i] = mosaic[i] * 31u + tile[i] * weight;
}

__global__ void clear(std::uint32_t* p, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = 1u;
}

class renderer {
 public:
  renderer() : uploader_({2, 1 << 20}) {
    TILES_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    TILES_TRY(cudaMalloc(&tile_, kTilePixels * sizeof(std::uint32_t)));
    TILES_TRY(cudaMalloc(&mosaic_, kTilePixels * sizeof(std::uint32_t)));
    clear<<<128, 256, 0, stream_>>>(mosaic_, kTilePixels);
    TILES_TRY(cudaGetLastError());
  }
  ~renderer() {
    cudaFree(tile_);
    cudaFree(mosaic_);
    cudaStreamDestroy(stream_);
  }

  void add(std::vector<std::uint32_t> const& pixels, std::uint32_t weight) {
    uploader_.upload(pixels.data(), pixels.size() * sizeof(std::uint32_t), tile_, stream_);
    blend<<<128, 256, 0, stream_>>>(tile_, mosaic_, kTilePixels, weight, 30'000'000LL);
    TILES_TRY(cudaGetLastError());
  }

  std::vector<std::uint32_t> finish() {
    std::vector<std::uint32_t> out(kTilePixels);
    TILES_TRY(cudaMemcpyAsync(out.data(), mosaic_, out.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream_));
    TILES_TRY(cudaStreamSynchronize(stream_));
    return out;
  }

 private:
  tiles::tile_uploader uploader_;
  cudaStream_t stream_ = nullptr;
  std::uint32_t* tile_ = nullptr;
  std::uint32_t* mosaic_ = nullptr;
};

}  // namespace

int main() {
  try {
    renderer r;
    std::vector<std::uint32_t> pixels(kTilePixels);
    for (int t = 0; t < kTiles; ++t) {
      decode_tile(t, pixels);
      r.add(pixels, 2u * t + 1u);
    }
    auto got = r.finish();

    long wrong = 0;
    for (int i = 0; i < kTilePixels; ++i) {
      std::uint32_t ref = 1u;
      for (int t = 0; t < kTiles; ++t) ref = ref * 31u + texel(t, i) * (2u * t + 1u);
      wrong += got[i] != ref;
    }
    if (wrong)
      std::printf("WRONG %ld\n", wrong);
    else
      std::printf("DONE\n");
  } catch (tiles::error const& e) {
    std::printf("ERROR %s\n", e.what());
  }
  return 0;
}
