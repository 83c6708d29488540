#pragma once
#include "common.cuh"

namespace tr {
struct PlainSgd {
    static constexpr int stateFloats = 0;
    __host__ __device__ static void apply(float& w, float*, float g) { w -= 0.5f * g; }
};

struct Momentum {
    static constexpr int stateFloats = 1;
    __host__ __device__ static void apply(float& w, float* v, float g) {
        *v = 0.5f * *v + g;
        w -= *v;
    }
};

template <class Rule>
__global__ void backward(float* grads, int n, int step, long long ns) {
    holdFor(ns);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) grads[i] = gradientOf(step, i);
}

template <class Rule>
__global__ void update(float* weights, float* state, const float* grads, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) Rule::apply(weights[i], state + (size_t)i * Rule::stateFloats, grads[i]);
}
}  // namespace tr
