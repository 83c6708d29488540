#pragma once
#include <functional>
#include <string>

#include "patches.cuh"

namespace bench {

struct Result {
    std::string name;
    double millisPerRun = 0.0;
};

// Runs a body on the stream of the harness: a few times to settle, then timed.
class Harness {
public:
    Harness(int settle, int runs) : settle_(settle), runs_(runs) {
        OKAY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        OKAY(cudaEventCreate(&begin_));
        OKAY(cudaEventCreate(&end_));
    }
    ~Harness() {
        cudaEventDestroy(end_);
        cudaEventDestroy(begin_);
        cudaStreamDestroy(stream_);
    }

    Result measure(const std::string& name, const std::function<void(cudaStream_t)>& body) {
        for (int i = 0; i < settle_; ++i) body(stream_);
        OKAY(cudaDeviceSynchronize());

        OKAY(cudaEventRecord(begin_, stream_));
        for (int i = 0; i < runs_; ++i) body(stream_);
        OKAY(cudaEventRecord(end_, stream_));
        OKAY(cudaEventSynchronize(end_));

        float ms = 0.f;
        OKAY(cudaEventElapsedTime(&ms, begin_, end_));
        return Result{name, ms / runs_};
    }

    cudaStream_t stream() const { return stream_; }
    int bodies() const { return settle_ + runs_; }

private:
    int settle_;
    int runs_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

}  // namespace bench
