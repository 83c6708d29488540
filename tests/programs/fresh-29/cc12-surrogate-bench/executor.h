#pragma once
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace bench {

inline void check(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::quick_exit(1);
}

constexpr int kCells = 1 << 14;
constexpr int kMaxSteps = 64;

// Begin and end of a step as the device saw them, in nanoseconds.
struct StepStamp {
    unsigned long long begin, end;
};

struct StepParams {
    int step;
    unsigned forcing;
};

// Device side of the surrogate: two branches and their merge.
class Surrogate {
public:
    Surrogate();
    ~Surrogate();
    Surrogate(const Surrogate &) = delete;

    void enqueue(const StepParams &p);
    void reset();
    cudaStream_t origin() const { return origin_; }
    std::vector<unsigned> state() const;
    std::vector<StepStamp> stamps(int n) const;

private:
    cudaStream_t origin_ = nullptr, side_ = nullptr;
    cudaEvent_t fork_ = nullptr, join_ = nullptr;
    unsigned *dynamics_ = nullptr, *physics_ = nullptr, *state_ = nullptr;
    StepStamp *stamps_ = nullptr;
};

// A way to run the steps of a surrogate.
class Executor {
public:
    virtual ~Executor() = default;
    virtual std::string name() const = 0;
    virtual void submit(const StepParams &p) = 0;
    virtual void drain() = 0;
};

std::unique_ptr<Executor> make_stream_executor(Surrogate &s);
std::unique_ptr<Executor> make_graph_executor(Surrogate &s);

} // namespace bench
