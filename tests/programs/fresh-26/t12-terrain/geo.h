#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define GEO(call)                                                       \
    do {                                                                \
        cudaError_t geo_rc_ = (call);                                   \
        if (geo_rc_ != cudaSuccess) {                                   \
            std::printf("ERROR %s\n", cudaGetErrorName(geo_rc_));       \
            std::fflush(stdout);                                        \
            std::_Exit(1);                                              \
        }                                                               \
    } while (0)

namespace geo {

constexpr int kSide = 256;
constexpr int kTile = kSide * kSide;
constexpr int kBins = 128;

struct Region {
    int id;
    int tiles;
};

inline short heightAt(int region, int tile, int i) {
    return static_cast<short>((i * 3 + tile * 41 + region * 977) % 4096);
}

}  // namespace geo
