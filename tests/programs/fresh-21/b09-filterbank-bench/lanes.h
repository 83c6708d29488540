#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bank {

inline void must(cudaError_t status, int line) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d\n", line);
        std::printf("ERROR %s\n", cudaGetErrorName(status));
        std::exit(2);
    }
}
#define MUST(call) ::bank::must((call), __LINE__)

// A lead stream and its companions.
class LaneSet {
public:
    explicit LaneSet(std::size_t count) : streams_(count), marks_(count) {
        for (std::size_t i = 0; i < count; ++i) {
            MUST(cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking));
            MUST(cudaEventCreateWithFlags(&marks_[i], cudaEventDisableTiming));
        }
    }
    ~LaneSet() {
        for (cudaEvent_t mark : marks_) cudaEventDestroy(mark);
        for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
    }
    LaneSet(const LaneSet&) = delete;
    LaneSet& operator=(const LaneSet&) = delete;

    std::size_t size() const { return streams_.size(); }
    cudaStream_t lead() const { return streams_.front(); }
    cudaStream_t operator[](std::size_t i) const { return streams_[i]; }

    void fan_out() {
        MUST(cudaEventRecord(marks_.front(), lead()));
        for (std::size_t i = 1; i < size(); ++i) MUST(cudaStreamWaitEvent(streams_[i], marks_.front(), 0));
    }
    void fan_in() {
        for (std::size_t i = 1; i < size(); ++i) {
            MUST(cudaEventRecord(marks_[i], streams_[i]));
            MUST(cudaStreamWaitEvent(lead(), marks_[i], 0));
        }
    }
    void drain() {
        for (cudaStream_t stream : streams_) MUST(cudaStreamSynchronize(stream));
    }

private:
    std::vector<cudaStream_t> streams_;
    std::vector<cudaEvent_t> marks_;
};

}  // namespace bank
