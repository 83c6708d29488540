#include "tile_cache.h"

#include <algorithm>
#include <cmath>

namespace terrain {
namespace {

// Start of a tile; the samples follow, in decimetres above the base.
struct Header {
    float base;
    std::uint32_t count;
};

__global__ void shadeTile(const Header* header, int edge, Light light, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= edge * edge) return;
    const auto* packed = reinterpret_cast<const std::uint16_t*>(header + 1);
    const float base = header->base;
    const int x = i % edge, y = i / edge;
    const int right = y * edge + min(x + 1, edge - 1);
    const int below = min(y + 1, edge - 1) * edge + x;
    const float here = base + 0.1f * packed[i];
    const float dx = (base + 0.1f * packed[right]) - here;
    const float dy = (base + 0.1f * packed[below]) - here;
    out[i] = here + light.east * dx + light.north * dy;
}

std::size_t strideOf(std::size_t samples) {
    const std::size_t bytes = sizeof(Header) + samples * sizeof(std::uint16_t);
    return (bytes + 255) / 256 * 256;
}

}  // namespace

TileCache::TileCache(CacheLimits limits, cudaStream_t stream)
    : limits_(limits), stream_(stream),
      arena_(strideOf(std::size_t(limits.edge) * limits.edge), limits.stagingSlots) {
    check(cudaMalloc(&tiles_, strideOf(samples()) * limits_.tiles));
    holds_.resize(limits_.tiles);
}

TileCache::~TileCache() {
    cudaStreamSynchronize(stream_);
    cudaFree(tiles_);
}

int TileCache::placeFor(TileKey key) {
    if (auto found = index_.find(key); found != index_.end()) return found->second;
    const int place = cursor_;
    cursor_ = (cursor_ + 1) % limits_.tiles;
    if (holds_[place]) index_.erase(*holds_[place]);
    holds_[place] = key;
    index_[key] = place;
    return place;
}

void TileCache::put(TileKey key, const float* heights) {
    const auto [low, high] = std::minmax_element(heights, heights + samples());
    if (*high - *low > 6500.f) throw std::range_error("tile too steep");
    const int place = placeFor(key);

    StagingLease lease = arena_.acquire();
    auto* header = lease.as<Header>();
    header->base = *low;
    header->count = static_cast<std::uint32_t>(samples());
    auto* packed = reinterpret_cast<std::uint16_t*>(header + 1);
    for (std::size_t i = 0; i < samples(); ++i)
        packed[i] = static_cast<std::uint16_t>(std::lround((heights[i] - *low) * 10.f));

    lease.send(tiles_ + strideOf(samples()) * place, sizeof(Header) + samples() * sizeof(std::uint16_t), stream_);
}

bool TileCache::shade(TileKey key, Light light, float* out) {
    auto found = index_.find(key);
    if (found == index_.end()) return false;
    const auto* tile = reinterpret_cast<const Header*>(tiles_ + strideOf(samples()) * found->second);
    const int n = static_cast<int>(samples());
    shadeTile<<<(n + 255) / 256, 256, 0, stream_>>>(tile, limits_.edge, light, out);
    check(cudaGetLastError());
    return true;
}

}  // namespace terrain
