// Micro-benchmark harness with pluggable bodies.
#pragma once
#include <cuda_runtime.h>

#include <chrono>
#include <functional>
#include <future>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

struct Options {
    int discard = 3;      // leading samples that do not count
    int samples = 9;
    int iterations = 3;   // bodies per sample
};

struct Result {
    std::string name;
    double median_ms = 0.0;
};

class Harness {
public:
    using Clock = std::chrono::steady_clock;
    using Body = std::function<void(cudaStream_t)>;

    explicit Harness(Options opt);
    ~Harness();
    Harness(const Harness&) = delete;
    Harness& operator=(const Harness&) = delete;

    Harness& add(std::string name, Body body);
    std::vector<Result> run();

private:
    struct Case {
        std::string name;
        Body body;
    };

    double sample(const Case& c);

    Options opt_;
    cudaStream_t stream_ = nullptr;
    std::vector<Case> cases_;
};

}  // namespace bench
