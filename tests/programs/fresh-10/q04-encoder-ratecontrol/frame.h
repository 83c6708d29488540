#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

constexpr int kBlocksPerFrame = 4096;

#define VE_CHECK(call) ve::require((call))

namespace ve {

inline void require(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

class RateControl;

struct Frame {
    int number = 0;
    int* luma = nullptr;        // page-locked, kBlocksPerFrame
    int* activity = nullptr;    // page-locked, one value
    int* quantiser = nullptr;   // page-locked, one value
    int* coded = nullptr;       // page-locked, kBlocksPerFrame
    cudaEvent_t ready = nullptr;
    RateControl* control = nullptr;
};

}  // namespace ve
