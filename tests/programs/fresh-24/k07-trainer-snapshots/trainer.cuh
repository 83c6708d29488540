#pragma once
#include "common.cuh"
#include "optimizers.cuh"

namespace tr {
struct RunSpec {
    int weights = 2048;
    int steps = 12;
    int every = 4;
    long long backwardNs = 1000000;
};

template <class Rule, class Snapshots>
class Trainer {
public:
    template <class... SnapshotArgs>
    explicit Trainer(const RunSpec& spec, SnapshotArgs&&... args)
        : spec_(spec), snapshots_(spec.weights, args...) {
        const size_t state = (size_t)spec_.weights * (Rule::stateFloats ? Rule::stateFloats : 1);
        TR_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        TR_CUDA(cudaEventCreateWithFlags(&stepped_, cudaEventDisableTiming));
        TR_CUDA(cudaMalloc(&weights_, spec_.weights * sizeof(float)));
        TR_CUDA(cudaMalloc(&grads_, spec_.weights * sizeof(float)));
        TR_CUDA(cudaMalloc(&state_, state * sizeof(float)));
        TR_CUDA(cudaMemsetAsync(weights_, 0, spec_.weights * sizeof(float), stream_));
        TR_CUDA(cudaMemsetAsync(state_, 0, state * sizeof(float), stream_));
    }

    ~Trainer() {
        cudaStreamSynchronize(stream_);
        snapshots_.drain();
        cudaFree(state_);
        cudaFree(grads_);
        cudaFree(weights_);
        cudaEventDestroy(stepped_);
        cudaStreamDestroy(stream_);
    }
    Trainer(const Trainer&) = delete;

    void run() {
        for (int s = 1; s <= spec_.steps; ++s) {
            step(s);
            if (s % spec_.every == 0) {
                TR_CUDA(cudaEventRecord(stepped_, stream_));
                snapshots_.take(s, weights_, stepped_);
            }
        }
        TR_CUDA(cudaStreamSynchronize(stream_));
        snapshots_.drain();
    }
private:
    void step(int s) {
        const int n = spec_.weights;
        backward<Rule><<<blocksFor(n), 256, 0, stream_>>>(grads_, n, s, spec_.backwardNs);
        TR_CUDA(cudaGetLastError());
        snapshots_.guard(stream_);
        update<Rule><<<blocksFor(n), 256, 0, stream_>>>(weights_, state_, grads_, n);
        TR_CUDA(cudaGetLastError());
    }

    RunSpec spec_;
    Snapshots snapshots_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t stepped_ = nullptr;
    float* weights_ = nullptr;
    float* grads_ = nullptr;
    float* state_ = nullptr;
};
}  // namespace tr
