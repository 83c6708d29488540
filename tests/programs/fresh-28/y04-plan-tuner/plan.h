#pragma once
#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>
#include <string>

namespace refl {

struct Failure : std::runtime_error {
    explicit Failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void require(cudaError_t e)
{
    if (e != cudaSuccess) throw Failure(e);
}

struct PlanKey {
    int n;      // length of a signal
    int batch;  // number of signals
    bool operator<(const PlanKey& o) const { return n != o.n ? n < o.n : batch < o.batch; }
};

// A reflection transform of `batch` signals of n integers:
// out[i] = weight[i] * in[i] + in[n - 1 - i].
class Plan {
public:
    Plan(PlanKey key, int threads, int pace_us);
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    // One transform in `stream`; the lower and the upper half of the batch run
    // side by side.
    void execute(const int* in, int* out, cudaStream_t stream);

    // Mean time of one transform in the steady state, in milliseconds.
    double measure(const int* in, int* out, cudaStream_t stream, int repeats);

    std::string describe() const;
    static int weight(int i) { return i % 17 + 1; }

private:
    PlanKey key_;
    int threads_;
    int pace_us_;
    int* weights_ = nullptr;
    cudaStream_t second_ = nullptr;
    cudaEvent_t fork_ = nullptr, join_ = nullptr;
};

}  // namespace refl
