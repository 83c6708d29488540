#pragma once
#include "layers.h"

namespace nn {

class Network {
public:
    explicit Network(const std::vector<LayerSpec>& specs) {
        for (const LayerSpec& s : specs) layers_.push_back(Registry::instance().make(s));
    }
    auto begin() { return layers_.begin(); }
    auto end() { return layers_.end(); }
private:
    std::vector<std::unique_ptr<Layer>> layers_;
};

// Layer by layer.
void run_stepwise(Context& ctx, Network& net, int* x, int n);

// The whole network recorded once and replayed.
class Replay {
public:
    Replay(Context& ctx, Network& net, int* x, int n);
    ~Replay();
    void run();
private:
    Context& ctx_;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};
}  // namespace nn
