#include "lane.hpp"

namespace archive {
namespace {

__device__ void transform_passes(unsigned long long ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin)::"memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
    } while (now - begin < ns);
}

__global__ void compress_tile(float* out, unsigned n, int tile) {
    transform_passes(30000000ull);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = static_cast<float>(tile * 1000 + static_cast<int>(i % 997u));
}

}  // namespace

float compressed_value(int tile, std::size_t i) {
    return static_cast<float>(tile * 1000 + static_cast<int>(i % 997u));
}

Lane::Lane(int id, std::size_t tile_elems)
    : id_(id), elems_(tile_elems), stream_(make_stream()), tile_(tile_elems), result_(tile_elems) {}

void Lane::compress(int tile) {
    compress_tile<<<8, 256, 0, stream_.get()>>>(tile_.data(), static_cast<unsigned>(elems_), tile);
    require(cudaGetLastError());
    require(cudaMemcpyAsync(result_.data(), tile_.data(), tile_.bytes(), cudaMemcpyDeviceToHost, stream_.get()));
    last_tile_ = tile;
}

long Lane::mismatches() const {
    long bad = 0;
    for (std::size_t i = 0; i < elems_; ++i)
        if (result_[i] != compressed_value(last_tile_, i)) ++bad;
    if (bad) std::printf("lane %d: tile %d has %ld bad values\n", id_, last_tile_, bad);
    return bad;
}

}  // namespace archive
