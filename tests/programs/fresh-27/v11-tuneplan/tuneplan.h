// tuneplan: histogram plans and a tuner that measures how many lanes suit a device.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace tuneplan {

class PlanError : public std::runtime_error {
public:
    explicit PlanError(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void ensure(cudaError_t code) {
    if (code != cudaSuccess) throw PlanError(code);
}

constexpr int kBins = 64;

/// A kernel plan in two phases: launch() queues the heavy part, finish() the reduction of its
/// partial results. After finish() the result is ordered in the stream that was given.
class Plan {
public:
    virtual ~Plan() = default;
    virtual int lanes() const = 0;
    virtual void launch(const int* keys, int count, cudaStream_t stream) = 0;
    virtual void finish(unsigned* histogram, cudaStream_t stream) = 0;
};

std::unique_ptr<Plan> makeHistogramPlan(int lanes);

struct Candidate {
    int lanes;
    float milliseconds;  // of a whole execution, launch() and finish(), in the steady state
};

struct TuneOptions {
    std::vector<int> lanes{1, 2, 4};
    int warmups = 1;
    int repetitions = 3;
};

/// Times the candidates on the given input. The histogram holds the result of the last one.
std::vector<Candidate> tune(const int* keys, int count, unsigned* histogram, cudaStream_t stream,
                            const TuneOptions& options = {});

/// The fastest of the candidates.
const Candidate& best(const std::vector<Candidate>& candidates);

}  // namespace tuneplan
