#pragma once

namespace tg {

struct term {
    const float * src;
    float         weight;
};

static __global__ void k_weighted_sum(const term * terms, int n_terms, float * dst, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float acc = 0.0f;
        for (int t = 0; t < n_terms; ++t) {
            acc += terms[t].weight * terms[t].src[i];
        }
        dst[i] = acc;
    }
}

}  // namespace tg
