#pragma once
#include <cuda_runtime.h>
#include <vector>

#include "arena.h"

namespace audio {

struct ChainSpec {
    float gain = 1.f;
    int taps = 64;
};

// One effect, recorded as a graph and replayed on every audio block.
class EffectChain {
public:
    EffectChain(const ChainSpec& spec, int samples, PinnedArena& arena, cudaStream_t recorder);
    ~EffectChain();
    EffectChain(const EffectChain&) = delete;
    EffectChain& operator=(const EffectChain&) = delete;

    void play(cudaStream_t stream) { call(cudaGraphLaunch(exec_, stream)); }
    std::vector<float> output() const;
    float expected() const;

private:
    void record(PinnedArena& arena, cudaStream_t recorder);

    ChainSpec spec_;
    int samples_;
    float* taps_ = nullptr;
    float* mix_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace audio
