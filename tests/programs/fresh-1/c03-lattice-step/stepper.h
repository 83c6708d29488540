#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void must(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

// A side branch of work on `lane` that starts at the current tail of `trunk`.
class Branch {
public:
    Branch(cudaStream_t trunk, cudaStream_t lane) : trunk_(trunk), lane_(lane) {
        must(cudaEventCreateWithFlags(&open_, cudaEventDisableTiming));
        must(cudaEventCreateWithFlags(&close_, cudaEventDisableTiming));
        must(cudaEventRecord(open_, trunk_));
        must(cudaStreamWaitEvent(lane_, open_, 0));
    }
    ~Branch() {
        cudaEventDestroy(open_);
        cudaEventDestroy(close_);
    }
    cudaStream_t lane() const { return lane_; }
    void merge() {
        must(cudaEventRecord(close_, lane_));
        must(cudaStreamWaitEvent(trunk_, close_, 0));
    }

private:
    cudaStream_t trunk_, lane_;
    cudaEvent_t open_{}, close_{};
};

class StepGraph {
public:
    template <class Body>
    StepGraph(cudaStream_t s, Body&& body) {
        cudaGraph_t g = nullptr;
        must(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        body();
        must(cudaStreamEndCapture(s, &g));
        must(cudaGraphInstantiate(&exec_, g, 0));
        must(cudaGraphDestroy(g));
    }
    ~StepGraph() { cudaGraphExecDestroy(exec_); }
    void launch(cudaStream_t s) { must(cudaGraphLaunch(exec_, s)); }

private:
    cudaGraphExec_t exec_ = nullptr;
};
