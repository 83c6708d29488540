#pragma once
#include <memory>
#include <vector>

#include "design.h"

namespace audio {

// One band of the equaliser, ready to be replayed on any block of samples.
class BandGraph {
public:
    BandGraph(cudaStream_t stream, const float* taps, int tapCount, const float* input, int samples);
    ~BandGraph();
    void play(cudaStream_t stream) const;
    const float* output() const { return out_; }

private:
    void record(cudaStream_t stream, const float* taps, const float* input);

    int tapCount_;
    int samples_;
    float* coeff_ = nullptr;
    float* out_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

class Equaliser {
public:
    Equaliser(int samples, int taps, const std::vector<BandSpec>& bands);
    ~Equaliser();
    std::vector<std::vector<float>> process(const std::vector<float>& block);

private:
    int samples_;
    cudaStream_t stream_ = nullptr;
    float* input_ = nullptr;
    FilterDesigner designer_;
    std::vector<std::unique_ptr<BandGraph>> bands_;
};

}  // namespace audio
