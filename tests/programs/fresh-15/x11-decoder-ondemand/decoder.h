#pragma once
#include "weight_store.h"

// A stack of layers folded into one executable graph; activations stay on the device.
class Decoder {
public:
    Decoder(WeightStore& store, int layers);
    ~Decoder();
    void run(std::vector<float>& state);

private:
    void build();

    WeightStore& store_;
    int layers_;
    std::vector<TensorRef> weights_;
    float* act_[2] = {nullptr, nullptr};
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};
