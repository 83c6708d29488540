#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define BENCH_TRY(expr)                                                  \
    do {                                                                 \
        if (cudaError_t rc_ = (expr); rc_ != cudaSuccess) {              \
            std::printf("ERROR %s\n", cudaGetErrorName(rc_));            \
            std::exit(1);                                                \
        }                                                                \
    } while (0)

namespace bench {

struct Lane {
    cudaStream_t stream = nullptr;
    std::function<void(cudaStream_t)> body;
};

struct Report {
    std::string name;
    int repetitions = 0;
    double total_ms = 0.0;
};

// A benchmark case made of independent lanes that may run side by side.
class Case {
public:
    explicit Case(std::string name) : name_(std::move(name)) {}
    ~Case();
    Case(const Case&) = delete;
    Case& operator=(const Case&) = delete;

    Case& lane(std::function<void(cudaStream_t)> body);
    Report measure(int warmup, int repetitions);

private:
    void fork();
    void join();
    void issue();

    std::string name_;
    std::vector<Lane> lanes_;
    std::vector<cudaEvent_t> lane_done_;
    cudaEvent_t forked_ = nullptr;
};

}  // namespace bench
