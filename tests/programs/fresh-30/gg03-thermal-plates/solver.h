#pragma once
#include <cuda_runtime.h>

#include <vector>

#include "launch_spec.h"

namespace plates {

constexpr int kThreads = 128;
constexpr int kMaxSweeps = 400;

struct PlateConfig {
    int n;           // cells per side
    int hot;         // temperature of the left edge, fixed point
    int cold;        // temperature of the right edge
    int tolerance;   // stop when no cell moved further than this
    unsigned width;  // no more blocks than this
};

struct Outcome {
    std::vector<int> field;
    int sweeps = 0;
};

class Solver {
public:
    Solver(const PlateConfig& config, const BlockBudget& budget);
    ~Solver();
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    cudaError_t status() const { return status_; }
    cudaError_t reset();
    cudaError_t relax();
    cudaError_t fetch(Outcome* out);

private:
    bool keep(cudaError_t e) {
        if (status_ == cudaSuccess) status_ = e;
        return e == cudaSuccess;
    }
    size_t cells() const { return static_cast<size_t>(config_.n) * static_cast<size_t>(config_.n); }

    PlateConfig config_;
    cudaStream_t stream_ = nullptr;
    cudaError_t status_ = cudaSuccess;
    unsigned blocks_ = 0;
    int* field_[2] = {nullptr, nullptr};
    int* residual_ = nullptr;
    int* sweeps_ = nullptr;
    void* fence_ = nullptr;
};

std::vector<int> initial_field(const PlateConfig& config);
Outcome relax_on_host(const PlateConfig& config);

}  // namespace plates
