#pragma once
#include "solver.h"
#include <functional>
#include <string>

namespace bench {

struct Plan {
    int warmup = 2;
    int repeats = 6;
};

struct Report {
    std::string name;
    double mean_ms = 0;
};

// What is measured: a piece of device work for a given stream.
using Candidate = std::function<void(cudaStream_t)>;

Candidate solve_with(jac::Handle& handle);

class Runner {
  public:
    explicit Runner(Plan plan);
    ~Runner();
    Runner(const Runner&) = delete;
    Report measure(std::string name, const Candidate& candidate);

  private:
    Plan plan_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace bench
