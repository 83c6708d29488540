// Serves batches of different sizes; each size gets a graph of its own.
#pragma once

#include "model.h"

#include <map>
#include <memory>
#include <vector>

namespace serve {

class Server {
public:
    explicit Server(Model& model) : model_(model) {}

    std::vector<Activation> infer(const std::vector<Activation>& samples);

    std::size_t cached_graphs() const { return plans_.size(); }
    long launches() const { return launches_; }

private:
    // A captured forward pass together with the host memory that it reads and writes.
    struct Plan {
        Plan(const ModelConfig& config, int batch_)
            : batch(batch_), samples(static_cast<std::size_t>(batch_) * config.features), scores(batch_) {}

        int batch;
        PinnedArray<Activation> samples;
        PinnedArray<Activation> scores;
        GraphExecHandle exec;
    };

    Plan& plan_for(int batch);
    std::unique_ptr<Plan> build(int batch);

    Model& model_;
    ExecContext context_;
    std::map<int, std::unique_ptr<Plan>> plans_;
    long launches_ = 0;
};

}  // namespace serve
