#pragma once

namespace heat {

// State of a barrier over the blocks of a launch; lives in device memory, starts at zero.
struct GridGate {
    unsigned arrived;
    unsigned phase;
};

__device__ inline void passGate(GridGate* gate, unsigned blocks) {
    __syncthreads();
    if (threadIdx.x == 0) {
        volatile unsigned* phase = &gate->phase;
        const unsigned mine = *phase;
        __threadfence();
        if (atomicAdd(&gate->arrived, 1u) == blocks - 1) {
            gate->arrived = 0;
            __threadfence();
            *phase = mine + 1;
        } else {
            while (*phase == mine) __nanosleep(100);
        }
        __threadfence();
    }
    __syncthreads();
}

}  // namespace heat
