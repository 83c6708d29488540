#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "staging.h"

constexpr int kHidden = 4096;
constexpr int kLayers = 6;
constexpr int kTile = 64;

struct LayerBlock {
    uint32_t gain[kTile];
    uint32_t shift[kTile];
};

__global__ void apply_layer(uint32_t* state, const LayerBlock* w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kHidden) state[i] = state[i] * w->gain[i % kTile] + w->shift[i % kTile];
}

__global__ void emit_token(const uint32_t* state, uint32_t* out, int* cursor) {
    __shared__ uint32_t acc;
    if (threadIdx.x == 0) acc = 0;
    __syncthreads();
    uint32_t mine = 0;
    for (int i = threadIdx.x; i < kHidden; i += blockDim.x) mine ^= state[i] + i;
    atomicXor(&acc, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[*cursor] = acc;
        *cursor += 1;
    }
}

// One decoding step (all layers and the token head), recorded once and replayed per token.
class DecodeStep {
public:
    DecodeStep(uint32_t* state, uint32_t* tokens, int* cursor) : state_(state), tokens_(tokens), cursor_(cursor) {
        CU(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        CU(cudaMalloc(&weights_, kLayers * sizeof(LayerBlock)));
    }
    ~DecodeStep() {
        if (exec_) cudaGraphExecDestroy(exec_);
        cudaFree(weights_);
        cudaStreamDestroy(stream_);
    }

    template <class Fill>
    void record(StagingPool& pool, Fill&& fill) {
        cudaGraph_t graph = nullptr;
        CU(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        for (int l = 0; l < kLayers; ++l) {
            blocks_.push_back(pool.take());
            LayerBlock* host = blocks_.back().as<LayerBlock>();
            fill(l, *host);
            CU(cudaMemcpyAsync(weights_ + l, host, sizeof(LayerBlock), cudaMemcpyHostToDevice, stream_));
            apply_layer<<<kHidden / 256, 256, 0, stream_>>>(state_, weights_ + l);
        }
        emit_token<<<1, 256, 0, stream_>>>(state_, tokens_, cursor_);
        CU(cudaStreamEndCapture(stream_, &graph));
        CU(cudaGraphInstantiate(&exec_, graph, 0));
        CU(cudaGraphDestroy(graph));
    }

    void step() { CU(cudaGraphLaunch(exec_, stream_)); }
    void finish() { CU(cudaStreamSynchronize(stream_)); }

private:
    uint32_t* state_;
    uint32_t* tokens_;
    int* cursor_;
    LayerBlock* weights_ = nullptr;
    std::vector<StagingPool::Lease> blocks_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};
