#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace migrate {

struct Settings {
    int traces = 1 << 16;
    int shots = 6;
    int passes = 6;
    int bands = 3;
};

inline Settings settings(int argc, char** argv) {
    Settings s;
    for (int i = 1; i + 1 < argc; i += 2) {
        switch (argv[i][1]) {
            case 't': s.traces = std::atoi(argv[i + 1]); break;
            case 's': s.shots = std::atoi(argv[i + 1]); break;
            case 'p': s.passes = std::atoi(argv[i + 1]); break;
            case 'b': s.bands = std::atoi(argv[i + 1]); break;
        }
    }
    return s;
}

inline void ok(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

inline uint32_t sample(int shot, int i) { return (uint32_t(i) * 2654435761u + shot * 40503u) >> 12; }

__host__ __device__ inline uint32_t band_pass(uint32_t left, uint32_t mid, uint32_t right, int band) {
    return (left * (band + 1) + mid * 5u + right * (band + 2)) >> (band + 1);
}

}  // namespace migrate
