#pragma once
#include <cuda_runtime.h>

#include <array>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <variant>

struct BenchError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
inline void need(cudaError_t e) {
    if (e != cudaSuccess) throw BenchError(cudaGetErrorName(e));
}

struct Grid {
    float* cells = nullptr;
    int n = 0;
};

// Whole grid in one kernel.
class Fused {
public:
    static constexpr const char* name = "fused";
    void step(const Grid& g, cudaStream_t s) const;
};

// Two halves side by side.
class Split {
public:
    static constexpr const char* name = "split";
    Split();
    Split(Split&& o) noexcept;
    ~Split();
    void step(const Grid& g, cudaStream_t s) const;

private:
    std::array<cudaStream_t, 2> half_{};
};

using Candidate = std::variant<Fused, Split>;

struct Sample {
    double event_ms = 0;
    double wall_ms = 0;
};

class Harness {
public:
    explicit Harness(int iterations);
    ~Harness();
    Harness(const Harness&) = delete;
    Harness& operator=(const Harness&) = delete;

    Sample measure(const std::function<void(cudaStream_t)>& body) const;

private:
    int iterations_;
    cudaStream_t stream_{};
    cudaEvent_t begin_{};
    cudaEvent_t end_{};
};
