#pragma once
#include <cuda_runtime.h>

namespace plates {

// State of a fence between all blocks of one grid.
struct FenceState {
    unsigned arrived;
    unsigned generation;
};

struct Fence {
    FenceState* state;
    unsigned parties;

    __device__ void pass() const {
        __syncthreads();
        if (threadIdx.x == 0) {
            volatile unsigned* generation = &state->generation;
            const unsigned mine = *generation;
            __threadfence();
            if (atomicAdd(&state->arrived, 1u) == parties - 1) {
                atomicExch(&state->arrived, 0u);
                __threadfence();
                atomicAdd(&state->generation, 1u);
            } else {
                while (*generation == mine) {
                }
            }
            __threadfence();
        }
        __syncthreads();
    }
};

}  // namespace plates
