// Layers of the scoring model. Each one enqueues its kernels into an execution context.
#pragma once

#include "model_config.h"
#include "runtime.h"

#include <memory>
#include <string>
#include <vector>

namespace serve {

// Main stream of a forward pass and one branch that runs beside it.
class ExecContext {
public:
    ExecContext() : main_(make_stream()), branch_(make_stream()), forked_(make_event()), joined_(make_event()) {}

    cudaStream_t main() const { return main_.get(); }
    cudaStream_t branch() const { return branch_.get(); }

    void fork() {
        SERVE_CALL(cudaEventRecord(forked_.get(), main()));
        SERVE_CALL(cudaStreamWaitEvent(branch(), forked_.get(), 0));
    }
    void join() {
        SERVE_CALL(cudaEventRecord(joined_.get(), branch()));
        SERVE_CALL(cudaStreamWaitEvent(main(), joined_.get(), 0));
    }

private:
    StreamHandle main_;
    StreamHandle branch_;
    EventHandle forked_;
    EventHandle joined_;
};

class Layer {
public:
    virtual ~Layer() = default;
    virtual std::string name() const = 0;
    virtual void enqueue(cudaStream_t stream, int batch) = 0;
};

// Matrix product with a quantised weight matrix and a clamp.
class DenseLayer : public Layer {
public:
    DenseLayer(std::string name, const ModelConfig& config, const std::vector<Activation>& weights,
               const Tensor<Activation>& input);
    std::string name() const override { return name_; }
    void enqueue(cudaStream_t stream, int batch) override;
    const Tensor<Activation>& output() const { return output_; }

private:
    std::string name_;
    ModelConfig config_;
    const Tensor<Activation>& input_;
    Tensor<Activation> weights_;
    Tensor<Activation> output_;
};

// Distribution of the hidden activations over a few buckets, per batch.
class HistogramLayer : public Layer {
public:
    HistogramLayer(const ModelConfig& config, const Tensor<Activation>& input);
    std::string name() const override { return "histogram"; }
    void enqueue(cudaStream_t stream, int batch) override;
    const Tensor<Activation>& output() const { return counts_; }

private:
    ModelConfig config_;
    const Tensor<Activation>& input_;
    Tensor<Activation> counts_;
};

// Combines both heads, weighted by the rarity of their activations.
class ScoreLayer : public Layer {
public:
    ScoreLayer(const ModelConfig& config, const Tensor<Activation>& relevance, const Tensor<Activation>& quality,
               const Tensor<Activation>& counts);
    std::string name() const override { return "score"; }
    void enqueue(cudaStream_t stream, int batch) override;
    const Tensor<Activation>& output() const { return scores_; }

private:
    ModelConfig config_;
    const Tensor<Activation>& relevance_;
    const Tensor<Activation>& quality_;
    const Tensor<Activation>& counts_;
    Tensor<Activation> scores_;
};

}  // namespace serve
