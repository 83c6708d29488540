#pragma once
#include <cuda_runtime.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace pricing {

constexpr int kPaths = 1 << 14;
constexpr int kReplays = 4;

struct CudaFailure {
    cudaError_t code;
};

inline void orThrow(cudaError_t code) {
    if (code != cudaSuccess) throw CudaFailure{code};
}

struct Book {
    int desk;
    int strike;
};

// Values the books of one desk. Each worker lives on its own thread.
class Worker {
public:
    explicit Worker(std::atomic<int>& revaluations) : revaluations_(revaluations) {}
    ~Worker();
    Worker(Worker&&) = delete;

    std::vector<long long> value(const std::vector<Book>& books);

private:
    struct Valuation {
        int* spot = nullptr;
        int* call = nullptr;
        int* put = nullptr;
        long long* total = nullptr;
        long long* hostTotal = nullptr;
        cudaEvent_t forked = nullptr;
        cudaEvent_t joined = nullptr;
        cudaGraphExec_t exec = nullptr;
    };

    void open();
    void allocate(Valuation& v);
    void record(Valuation& v, const Book& book);

    std::atomic<int>& revaluations_;
    cudaStream_t main_ = nullptr;
    cudaStream_t side_ = nullptr;
    std::vector<Valuation> valuations_;
};

}  // namespace pricing
