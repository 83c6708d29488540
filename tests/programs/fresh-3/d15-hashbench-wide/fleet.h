#pragma once
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>
#include "hash.cuh"

struct CudaFailure : std::runtime_error {
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaFailure(e);
}

// A set of streams that is used like one wide queue and measured as a whole.
class Fleet {
public:
    explicit Fleet(int width) : streams_(width), tails_(width) {
        for (auto& s : streams_) check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        for (auto& e : tails_) check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
        check(cudaEventCreate(&begin_));
        check(cudaEventCreate(&end_));
    }
    ~Fleet() {
        for (auto& e : tails_) cudaEventDestroy(e);
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
        for (auto& s : streams_) cudaStreamDestroy(s);
    }
    Fleet(const Fleet&) = delete;

    void open() {
        check(cudaEventRecord(begin_, streams_[0]));
        for (size_t i = 1; i < streams_.size(); ++i) check(cudaStreamWaitEvent(streams_[i], begin_, 0));
    }
    void submit(const std::vector<Job>& jobs) {
        for (size_t i = 0; i < jobs.size(); ++i) {
            enqueue(jobs[i], streams_[i % streams_.size()]);
            check(cudaGetLastError());
        }
    }
    void close() {
        for (size_t i = 1; i < streams_.size(); ++i) {
            check(cudaEventRecord(tails_[i], streams_[i]));
            check(cudaStreamWaitEvent(streams_[0], tails_[i], 0));
        }
        check(cudaEventRecord(end_, streams_[0]));
    }
    double elapsed_ms() {
        float ms = 0.f;
        check(cudaEventSynchronize(end_));
        check(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

private:
    std::vector<cudaStream_t> streams_;
    std::vector<cudaEvent_t> tails_;
    cudaEvent_t begin_{}, end_{};
};
