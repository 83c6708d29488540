// The scoring model: two dense heads, the histogram of one of them and the final score.
#pragma once

#include "layers.h"

namespace serve {

class Model {
public:
    Model(const ModelConfig& config, const Weights& weights);

    // Enqueues one forward pass, including the transfers from and to the caller's host memory.
    void forward(ExecContext& context, int batch, const Activation* samples, Activation* scores);

    const ModelConfig& config() const { return config_; }

private:
    ModelConfig config_;
    Tensor<Activation> input_;
    DenseLayer relevance_;
    DenseLayer quality_;
    HistogramLayer histogram_;
    ScoreLayer score_;
};

}  // namespace serve
