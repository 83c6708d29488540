#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace tiles {

inline void sure(cudaError_t e, int line) {
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "line %d\n", line);
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}
#define SURE(x) ::tiles::sure((x), __LINE__)

struct Geometry {
    int tile = 64;
    int count = 24;
    int queues = 4;
    long long decodeTicks = 8'000'000;
};

template <class Pixel>
__global__ void decodeTile(const unsigned char* packed, Pixel* out, int side, long long ticks) {
    const long long t0 = clock64();
    while (clock64() - t0 < ticks) {
    }
    for (int i = threadIdx.x; i < side * side; i += blockDim.x) out[i] = Pixel(packed[i]) * Pixel(2) + Pixel(1);
}

// Decodes tiles of a whole-slide image on several queues.
template <class Pixel>
class TileDecoder {
public:
    explicit TileDecoder(const Geometry& g) : g_(g), queues_(g.queues) {
        for (cudaStream_t& q : queues_) SURE(cudaStreamCreate(&q));
        SURE(cudaMallocHost(reinterpret_cast<void**>(&packedHost_), total()));
        SURE(cudaMallocHost(reinterpret_cast<void**>(&pixelsHost_), total() * sizeof(Pixel)));
        SURE(cudaMalloc(reinterpret_cast<void**>(&packed_), total()));
        SURE(cudaMalloc(reinterpret_cast<void**>(&pixels_), total() * sizeof(Pixel)));
        for (std::size_t i = 0; i < total(); ++i) packedHost_[i] = static_cast<unsigned char>(i * 7 % 253);
    }
    ~TileDecoder() {
        for (cudaStream_t q : queues_) cudaStreamDestroy(q);
        cudaFree(pixels_);
        cudaFree(packed_);
        cudaFreeHost(pixelsHost_);
        cudaFreeHost(packedHost_);
    }
    TileDecoder(const TileDecoder&) = delete;
    TileDecoder& operator=(const TileDecoder&) = delete;

    void submit() {
        const std::size_t n = std::size_t(g_.tile) * g_.tile;
        for (int t = 0; t < g_.count; ++t) {
            cudaStream_t q = queues_[t % g_.queues];
            const std::size_t at = t * n;
            SURE(cudaMemcpyAsync(packed_ + at, packedHost_ + at, n, cudaMemcpyHostToDevice, q));
            decodeTile<Pixel><<<1, 256, 0, q>>>(packed_ + at, pixels_ + at, g_.tile, g_.decodeTicks);
            SURE(cudaGetLastError());
            SURE(cudaMemcpyAsync(pixelsHost_ + at, pixels_ + at, n * sizeof(Pixel), cudaMemcpyDeviceToHost, q));
        }
    }

    int mismatches() const {
        int wrong = 0;
        for (std::size_t i = 0; i < total(); ++i) wrong += pixelsHost_[i] != Pixel(packedHost_[i]) * Pixel(2) + Pixel(1);
        return wrong;
    }
    void wipe() {
        for (std::size_t i = 0; i < total(); ++i) pixelsHost_[i] = Pixel(0);
    }
    int count() const { return g_.count; }

private:
    std::size_t total() const { return std::size_t(g_.tile) * g_.tile * g_.count; }

    Geometry g_;
    std::vector<cudaStream_t> queues_;
    unsigned char* packedHost_ = nullptr;
    Pixel* pixelsHost_ = nullptr;
    unsigned char* packed_ = nullptr;
    Pixel* pixels_ = nullptr;
};

}  // namespace tiles
