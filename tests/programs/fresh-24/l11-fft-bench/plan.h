#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <tuple>

#define CUDA_DO(...)                                                  \
    do {                                                              \
        const cudaError_t status_ = (__VA_ARGS__);                    \
        if (status_ != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(status_));     \
            std::exit(1);                                             \
        }                                                             \
    } while (0)

namespace ntt {

using Word = std::uint32_t;
constexpr Word kPrime = 998244353u;
constexpr Word kRoot = 3u;

enum class Direction { Forward, Inverse };

// Number-theoretic transform of `batch` rows of 2^logn words, in place.
// The forward transform leaves bit-reversed order, the inverse one takes it.
class Plan {
public:
    Plan(int logn, int batch, Direction dir, cudaStream_t s);
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    void exec(Word* data, cudaStream_t s) const { exec(data, threads_, s); }

private:
    void exec(Word* data, int threads, cudaStream_t s) const;
    void tune(cudaStream_t s);

    int logn_, batch_;
    Direction dir_;
    int threads_ = 128;
    Word scale_ = 1;
    Word* twiddle_ = nullptr;
};

class PlanCache {
public:
    const Plan& get(int logn, int batch, Direction dir, cudaStream_t s)
    {
        auto& slot = plans_[{logn, batch, dir}];
        if (!slot)
            slot = std::make_unique<Plan>(logn, batch, dir, s);
        return *slot;
    }

private:
    std::map<std::tuple<int, int, Direction>, std::unique_ptr<Plan>> plans_;
};

}  // namespace ntt
