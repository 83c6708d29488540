#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <string>
#include <vector>

namespace bench {

void require(cudaError_t rc);

// A phase of the solver that can be measured on its own.
class Case {
public:
    virtual ~Case() = default;
    virtual std::string name() const = 0;
    virtual void enqueue(cudaStream_t stream) = 0;
    virtual long errors() = 0;
};

struct Result {
    std::string name;
    double median_ms = 0.0;
};

// Median of single shots in steady state: warm-up first, an idle device
// between two shots.
class Runner {
public:
    explicit Runner(int shots, int warmup = 2);
    ~Runner();
    Runner(const Runner&) = delete;

    Result measure(Case& subject);
    cudaStream_t stream() const { return stream_; }

private:
    int shots_, warmup_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

std::unique_ptr<Case> make_near_only();
std::unique_ptr<Case> make_evaluation();

}  // namespace bench
