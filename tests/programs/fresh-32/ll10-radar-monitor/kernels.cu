#include "radar.cuh"

namespace radar {

// One block; one launch per pulse. A null echo leaves everything as it is.
__global__ void range_profile(const float* echo, float* profile, Shared* shared) {
    if (!echo) return;
    volatile Shared* v = shared;
    if (threadIdx.x == 0) {
        while (v->credit != v->pulses) {
        }
        __threadfence();
    }
    __syncthreads();
    for (int g = threadIdx.x; g < kGates; g += blockDim.x) {
        const float left = echo[(g + kGates - 1) % kGates];
        const float right = echo[(g + 1) % kGates];
        profile[g] = 0.25f * left + 0.5f * echo[g] + 0.25f * right;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&shared->pulses, 1u);
}

// One block that stays for a whole dwell and looks at each profile as it appears.
__global__ void cfar_monitor(const float* profile, Shared* shared, Detections* out, unsigned pulses) {
    __shared__ unsigned long long best;
    volatile Shared* v = shared;
    const volatile float* p = profile;
    for (unsigned k = 0; k < pulses; ++k) {
        if (threadIdx.x == 0) {
            best = 0;
            while (v->pulses <= k) {
            }
            __threadfence();
        }
        __syncthreads();
        for (int g = threadIdx.x; g < kGates; g += blockDim.x) {
            const unsigned level = static_cast<unsigned>(p[g]);
            atomicMax(&best, (static_cast<unsigned long long>(level) << 32) | unsigned(g));
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            out->peak_gate[k] = static_cast<unsigned>(best & 0xffffffffu);
            __threadfence_system();
            out->seen = k + 1;
            atomicAdd(&shared->credit, 1u);
        }
        __syncthreads();
    }
}

}  // namespace radar
