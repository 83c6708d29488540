#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace frame {

inline void gpu(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// Streams and events from which passes are woven together.
class Loom {
public:
    explicit Loom(size_t lanes) {
        for (size_t i = 0; i < lanes; ++i) {
            cudaStream_t s;
            gpu(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
            idle_.push_back(s);
            all_.push_back(s);
        }
    }
    ~Loom() {
        for (cudaStream_t s : all_) cudaStreamDestroy(s);
        for (cudaEvent_t e : knots_) cudaEventDestroy(e);
    }
    Loom(const Loom&) = delete;
    Loom& operator=(const Loom&) = delete;

    cudaStream_t borrow() {
        cudaStream_t s = idle_.back();
        idle_.pop_back();
        return s;
    }
    void hand_back(cudaStream_t s) { idle_.push_back(s); }

    // Makes `later` follow everything in `earlier` up to now.
    void tie(cudaStream_t earlier, cudaStream_t later) {
        cudaEvent_t e = knot();
        gpu(cudaEventRecord(e, earlier));
        gpu(cudaStreamWaitEvent(later, e, 0));
    }
    void rewind() { used_ = 0; }

private:
    cudaEvent_t knot() {
        if (used_ == knots_.size()) {
            cudaEvent_t e;
            gpu(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
            knots_.push_back(e);
        }
        return knots_[used_++];
    }

    std::vector<cudaStream_t> idle_, all_;
    std::vector<cudaEvent_t> knots_;
    size_t used_ = 0;
};

// Work beside a parent stream, for the length of a scope.
class Branch {
public:
    Branch(Loom& loom, cudaStream_t parent) : loom_(&loom), parent_(parent), lane_(loom.borrow()) {
        loom_->tie(parent_, lane_);
    }
    ~Branch() {
        if (!loom_) return;
        loom_->tie(lane_, parent_);
        loom_->hand_back(lane_);
    }
    Branch(Branch&& o) noexcept : loom_(std::exchange(o.loom_, nullptr)), parent_(o.parent_), lane_(o.lane_) {}
    Branch(const Branch&) = delete;
    Branch& operator=(const Branch&) = delete;

    cudaStream_t lane() const { return lane_; }

private:
    Loom* loom_;
    cudaStream_t parent_;
    cudaStream_t lane_;
};

using Pass = std::function<void(cudaStream_t)>;

// Runs all passes beside each other.
inline void together(Loom& loom, cudaStream_t parent, const std::vector<Pass>& passes) {
    std::vector<Branch> branches;
    branches.reserve(passes.size());
    for (const Pass& p : passes) {
        branches.emplace_back(loom, parent);
        p(branches.back().lane());
    }
}

}  // namespace frame
