#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <utility>
#include <vector>

#include "step.h"

namespace sensor {

class Plan {
public:
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    cudaError_t process(const float* in, float* out);

private:
    friend class PlanBuilder;
    Plan() = default;
    cudaError_t open(int count);
    cudaError_t record();

    std::vector<std::unique_ptr<Step>> steps_;
    Signal signal_{nullptr, 0};
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

class PlanBuilder {
public:
    PlanBuilder& samples(int count) {
        count_ = count;
        return *this;
    }
    PlanBuilder& then(std::unique_ptr<Step> step) {
        steps_.push_back(std::move(step));
        return *this;
    }
    cudaError_t build(std::unique_ptr<Plan>* out);

private:
    int count_ = 0;
    std::vector<std::unique_ptr<Step>> steps_;
};

}  // namespace sensor
