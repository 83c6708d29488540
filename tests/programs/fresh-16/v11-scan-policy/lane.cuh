#pragma once
#include "workspace.cuh"

namespace ct {

struct scan_job {
    int projections;
    int seed;
    unsigned* digest;
};

// One reconstruction lane: a stream and the sinogram scratch of its jobs.
template <typename Policy>
class lane {
public:
    lane() { CT_CALL(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~lane() { cudaStreamDestroy(stream_); }
    lane(const lane&) = delete;
    lane& operator=(const lane&) = delete;

    void enqueue(const scan_job& job);
    void wait() { CT_CALL(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t stream_ = nullptr;
    workspace<Policy> scratch_;
};

constexpr int kDetectors = 1024;

}  // namespace ct
