#pragma once
#include "param_pool.h"

namespace infer {

struct PlanConfig {
    int batch = 1;
    float scale = 1.0f;
    float bias = 0.0f;
};

// A recorded layer for one batch size, replayed for every request.
class Plan {
public:
    Plan(ParamPool& pool, const PlanConfig& cfg);
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    std::vector<float> infer(const std::vector<float>& input);
    const PlanConfig& config() const { return cfg_; }

private:
    void record();

    PlanConfig cfg_;
    ParamPool::Lease block_;
    cudaStream_t stream_{};
    cudaGraphExec_t exec_{};
    Buffer<float> in_, out_;
    Buffer<Params> params_;
};

}  // namespace infer
