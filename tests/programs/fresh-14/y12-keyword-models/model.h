#pragma once
#include <functional>
#include <vector>
#include "cuda_util.h"

namespace kws {

// One keyword: two branches over the audio frame, summed.
class Model {
public:
    Model(int width, Weights weights);
    ~Model();
    Model(const Model&) = delete;

    void compile(const std::function<void()>& midway);
    std::vector<float> score(const std::vector<float>& frame);
private:
    void describe(const std::function<void()>& midway);
    float* workspace();

    int width_;
    Weights weights_;
    cudaStream_t stream_ = nullptr, branch_ = nullptr;
    cudaEvent_t fork_ = nullptr, join_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    float* input_ = nullptr;
    float* output_ = nullptr;
    float* workspace_ = nullptr;
    float* pinned_ = nullptr;
};
}  // namespace kws
