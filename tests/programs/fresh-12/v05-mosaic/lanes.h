#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define MZ_CHECK(expr)                                                   \
    if (cudaError_t mz_err = (expr); mz_err != cudaSuccess) {            \
        std::printf("ERROR %s\n", cudaGetErrorName(mz_err));             \
        std::exit(1);                                                    \
    }

namespace mz {

struct LaneOptions {
    int lanes = 4;
    int priority = 0;
    unsigned flags = cudaStreamDefault;
};

class LaneSet {
public:
    explicit LaneSet(const LaneOptions& o) : streams_(o.lanes) {
        for (auto& s : streams_) MZ_CHECK(cudaStreamCreateWithPriority(&s, o.flags, o.priority));
    }
    ~LaneSet() {
        for (auto s : streams_) cudaStreamDestroy(s);
    }
    LaneSet(const LaneSet&) = delete;
    LaneSet& operator=(const LaneSet&) = delete;

    cudaStream_t pick(int job, int width) const { return streams_[job % width]; }
    int size() const { return static_cast<int>(streams_.size()); }

private:
    std::vector<cudaStream_t> streams_;
};

}  // namespace mz
