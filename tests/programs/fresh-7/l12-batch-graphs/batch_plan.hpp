#pragma once
#include "capture_tools.hpp"

// A captured forward pass for one batch size.
class BatchPlan {
public:
    static constexpr int kFeatures = 128;

    static constexpr int kBlock = 128;

    static bool supported();
    BatchPlan(int batch, const int* weights);

    int batch() const { return batch_; }
    int* input() const { return in_.data(); }
    const int* run();

private:
    void record(const int* weights);

    int batch_;
    rt::Stream main_ = rt::makeStream();
    rt::Stream side_ = rt::makeStream();
    rt::Arena arena_{96 * 1024};
    rt::Pinned<int> in_;
    rt::Pinned<int> out_;
    rt::GraphExec exec_;
};
