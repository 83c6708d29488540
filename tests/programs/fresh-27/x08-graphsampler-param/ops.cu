#include "ops.h"

namespace gs {

namespace {

constexpr int kThreads = 128;

__global__ void embedKernel(const int* tokens, int* hidden, int width) {
    const int row = blockIdx.x;
    for (int c = threadIdx.x; c < width; c += blockDim.x) hidden[row * width + c] = embed(tokens[row], c);
}

__global__ void headKernel(const int* hidden, int* logits, int width, int vocab) {
    const int row = blockIdx.x;
    for (int v = threadIdx.x; v < vocab; v += blockDim.x) {
        int acc = 0;
        for (int c = 0; c < width; ++c) acc += hidden[row * width + c] * weight(c, v);
        logits[row * vocab + v] = acc;
    }
}

// Greedy choice, the lowest index of the largest logit.
__global__ void argmaxKernel(const int* logits, int* picks, int vocab) {
    __shared__ int bestValue[kThreads];
    __shared__ int bestIndex[kThreads];
    const int row = blockIdx.x;
    const int t = threadIdx.x;
    int value = -1, index = vocab;
    for (int v = t; v < vocab; v += blockDim.x) {
        const int l = logits[row * vocab + v];
        if (l > value) {
            value = l;
            index = v;
        }
    }
    bestValue[t] = value;
    bestIndex[t] = index;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (t < half) {
            const int ov = bestValue[t + half], oi = bestIndex[t + half];
            if (ov > bestValue[t] || (ov == bestValue[t] && oi < bestIndex[t])) {
                bestValue[t] = ov;
                bestIndex[t] = oi;
            }
        }
        __syncthreads();
    }
    if (t == 0) picks[row] = bestIndex[0] * 4096 + (bestValue[0] & 0xfff);
}

}  // namespace

void Trunk::enqueue(const Activations& act, cudaStream_t stream) const {
    embedKernel<<<shape_.batch, kThreads, 0, stream>>>(act.tokens, act.hidden, shape_.hidden);
    GS_CHECK(cudaGetLastError());
    headKernel<<<shape_.batch, kThreads, 0, stream>>>(act.hidden, act.logits, shape_.hidden, shape_.vocab);
    GS_CHECK(cudaGetLastError());
}

void Sampler::enqueue(const Activations& act, cudaStream_t stream) const {
    argmaxKernel<<<shape_.batch, kThreads, 0, stream>>>(act.logits, act.picks, shape_.vocab);
    GS_CHECK(cudaGetLastError());
}

}  // namespace gs
