#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "arena.h"

constexpr int kFeatures = 1 << 14;
constexpr int kModels = 3;

struct ModelArgs {
    uint32_t a, b;
    int stride;
};

inline ModelArgs model_args(int m) { return {2u * m + 3u, 17u * (m + 1), 2 * m + 1}; }

__global__ void score(const uint32_t* x, uint32_t* y, ModelArgs args) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kFeatures) y[i] = args.a * x[(i * args.stride) % kFeatures] + args.b;
}

__global__ void accumulate(const uint32_t* y, uint32_t* total) {
    uint32_t mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kFeatures; i += gridDim.x * blockDim.x) mine += y[i];
    atomicAdd(total, mine);
}

class Ensemble {
public:
    Ensemble() {
        ok(cudaStreamCreateWithFlags(&root_, cudaStreamNonBlocking));
        for (auto& s : side_) ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        for (auto& e : done_) ok(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
        ok(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
        ok(cudaHostAlloc(&input_, kFeatures * sizeof(uint32_t), cudaHostAllocDefault));
        ok(cudaHostAlloc(&result_, kModels * sizeof(uint32_t), cudaHostAllocDefault));
    }
    ~Ensemble() {
        if (exec_) cudaGraphExecDestroy(exec_);
        for (auto s : side_) cudaStreamDestroy(s);
        for (auto e : done_) cudaEventDestroy(e);
        cudaEventDestroy(fork_);
        cudaStreamDestroy(root_);
        cudaFreeHost(input_);
        cudaFreeHost(result_);
    }

    void build() {
        cudaGraph_t graph = nullptr;
        ok(cudaStreamBeginCapture(root_, cudaStreamCaptureModeGlobal));
        uint32_t* x = Arena::instance().get<uint32_t>("features", kFeatures);
        uint32_t* totals = Arena::instance().get<uint32_t>("totals", kModels);
        ok(cudaMemcpyAsync(x, input_, kFeatures * sizeof(uint32_t), cudaMemcpyHostToDevice, root_));
        ok(cudaMemsetAsync(totals, 0, kModels * sizeof(uint32_t), root_));
        ok(cudaEventRecord(fork_, root_));
        for (int m = 0; m < kModels; ++m) {
            cudaStream_t s = side_[m];
            ok(cudaStreamWaitEvent(s, fork_, 0));
            const ModelArgs args = model_args(m);
            uint32_t* y = Arena::instance().get<uint32_t>("scores" + std::to_string(m), kFeatures);
            score<<<kFeatures / 256, 256, 0, s>>>(x, y, args);
            accumulate<<<8, 256, 0, s>>>(y, totals + m);
            ok(cudaEventRecord(done_[m], s));
        }
        for (auto e : done_) ok(cudaStreamWaitEvent(root_, e, 0));
        ok(cudaMemcpyAsync(result_, totals, kModels * sizeof(uint32_t), cudaMemcpyDeviceToHost, root_));
        ok(cudaLaunchHostFunc(root_, &Ensemble::published, this));
        ok(cudaStreamEndCapture(root_, &graph));
        ok(cudaGraphInstantiate(&exec_, graph, 0));
        ok(cudaGraphDestroy(graph));
    }

    std::array<uint32_t, kModels> infer(const std::vector<uint32_t>& features) {
        for (int i = 0; i < kFeatures; ++i) input_[i] = features[i];
        ok(cudaGraphLaunch(exec_, root_));
        ok(cudaStreamSynchronize(root_));
        return {result_[0], result_[1], result_[2]};
    }
    int frames() const { return frames_.load(); }

private:
    static void CUDART_CB published(void* self) { static_cast<Ensemble*>(self)->frames_.fetch_add(1); }

    cudaStream_t root_{};
    std::array<cudaStream_t, kModels> side_{};
    std::array<cudaEvent_t, kModels> done_{};
    cudaEvent_t fork_{};
    uint32_t* input_ = nullptr;
    uint32_t* result_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::atomic<int> frames_{0};
};
