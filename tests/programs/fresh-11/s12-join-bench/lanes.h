#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define JB(call)                                                      \
    do {                                                              \
        cudaError_t jb_ = (call);                                     \
        if (jb_ != cudaSuccess) {                                     \
            std::printf("ERROR %s\n", cudaGetErrorName(jb_));         \
            std::fflush(stdout);                                      \
            std::_Exit(1);                                            \
        }                                                             \
    } while (0)

// A main stream with side lanes that open and close together.
class LaneSet {
public:
    explicit LaneSet(int lanes) : lanes_(lanes), closed_(lanes) {
        JB(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
        JB(cudaEventCreateWithFlags(&opened_, cudaEventDisableTiming));
        for (auto& lane : lanes_) JB(cudaStreamCreateWithFlags(&lane, cudaStreamNonBlocking));
        for (auto& event : closed_) JB(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }

    ~LaneSet() {
        for (auto& event : closed_) cudaEventDestroy(event);
        for (auto& lane : lanes_) cudaStreamDestroy(lane);
        cudaEventDestroy(opened_);
        cudaStreamDestroy(main_);
    }

    LaneSet(const LaneSet&) = delete;
    LaneSet& operator=(const LaneSet&) = delete;

    void fork() {
        JB(cudaEventRecord(opened_, main_));
        for (auto lane : lanes_) JB(cudaStreamWaitEvent(lane, opened_, 0));
    }

    void join() {
        for (size_t i = 0; i < lanes_.size(); ++i) {
            JB(cudaEventRecord(closed_[i], lanes_[i]));
            JB(cudaStreamWaitEvent(main_, closed_[i], 0));
        }
    }

    cudaStream_t main() const { return main_; }
    cudaStream_t lane(size_t i) const { return lanes_[i]; }
    size_t size() const { return lanes_.size(); }

private:
    cudaStream_t main_ = nullptr;
    cudaEvent_t opened_ = nullptr;
    std::vector<cudaStream_t> lanes_;
    std::vector<cudaEvent_t> closed_;
};
