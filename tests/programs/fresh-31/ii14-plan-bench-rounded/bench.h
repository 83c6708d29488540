#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "plan.h"
#include "plan_cache.h"

namespace xf {

struct BenchConfig {
    Shape shape{2048, 24};
    int warmup_batch = 20;
    int warmup_passes = 3;
    int passes = 8;
};

struct Report {
    double ms_per_pass = 0.0;
    double signals_per_second = 0.0;
};

class Bench {
public:
    explicit Bench(const BenchConfig& config);
    ~Bench();
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    // Steady-state cost of one pass over the configured shape.
    Report measure();
    // One pass alone, from submission to completion.
    double single_ms();
    int verify() const;

private:
    void pass(const Shape& shape);

    BenchConfig config_;
    cudaStream_t stream_ = nullptr;
    PlanCache cache_;
    float* in_ = nullptr;
    float* out_ = nullptr;
};

}  // namespace xf
