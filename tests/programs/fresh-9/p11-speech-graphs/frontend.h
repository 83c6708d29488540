#pragma once
#include "staging_pool.h"
#include <cstdint>

namespace mel {

struct FilterbankOptions {
    int bands = 64;
    int width = 32;      // taps per band
    int slope = 3;       // shape of a triangular filter
    int preemphasis = 0;
};

int tap(const FilterbankOptions& o, int band, int k);

// A recorded frontend. Movable, replayed any number of times.
class Program {
  public:
    Program() = default;
    Program(Program&& o) noexcept { *this = std::move(o); }
    Program& operator=(Program&& o) noexcept {
        std::swap(exec_, o.exec_);
        staging_ = std::move(o.staging_);
        return *this;
    }
    ~Program() {
        if (exec_) cudaGraphExecDestroy(exec_);
    }
    void run(cudaStream_t stream) const { ok(cudaGraphLaunch(exec_, stream)); }

  private:
    friend class Frontend;
    cudaGraphExec_t exec_ = nullptr;
    StagingPool::Block staging_;
};

class Frontend {
  public:
    static constexpr int kMaxTaps = 64 * 64;

    Frontend(int frames, int hop, cudaStream_t stream);
    ~Frontend();
    Frontend(const Frontend&) = delete;

    Program compile(const FilterbankOptions& opt);

    std::int32_t* samples() const { return samples_; }
    const std::int32_t* features() const { return features_; }

  private:
    int frames_, hop_;
    cudaStream_t stream_;
    StagingPool staging_;
    std::int32_t* samples_ = nullptr;
    std::int32_t* features_ = nullptr;
    std::int32_t* taps_ = nullptr;
};

}  // namespace mel
