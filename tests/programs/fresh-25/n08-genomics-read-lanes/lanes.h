#pragma once
#include <cuda_runtime.h>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

namespace gx {

using Clock = std::chrono::steady_clock;

inline double millisSince(Clock::time_point t) {
    return std::chrono::duration<double, std::milli>(Clock::now() - t).count();
}

inline void must(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

struct AlignerConfig {
    int lanes = 4;
    int batches = 12;
    int reads = 2048;
    unsigned long long alignNs = 30'000'000ull;
};

// Streams by lane; a lane takes every n-th batch of reads.
class LanePool {
public:
    explicit LanePool(int lanes) {
        for (int i = 0; i < lanes; ++i) {
            cudaStream_t s = nullptr;
            must(cudaStreamCreate(&s));
            streams_.emplace_back(s, [](cudaStream_t h) { cudaStreamDestroy(h); });
        }
    }
    cudaStream_t lane(int batch) const { return streams_[batch % streams_.size()].get(); }
    int size() const { return static_cast<int>(streams_.size()); }
    void drain() const {
        for (const auto& s : streams_) must(cudaStreamSynchronize(s.get()));
    }

private:
    using Handle = std::unique_ptr<CUstream_st, std::function<void(cudaStream_t)>>;
    std::vector<Handle> streams_;
};

// Running totals on the device, scraped at the end of a run.
class RunCounters {
public:
    RunCounters();
    ~RunCounters();
    void submitted(int reads);
    unsigned long long total() const;

private:
    unsigned long long* reads_ = nullptr;
};

}  // namespace gx
