#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <utility>

#include "pricing.cuh"

namespace desk {

inline void ensure(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::exit(1);
}

// Executable graphs of earlier shapes.
class Attic {
public:
    ~Attic() { sweep(true); }

    void put(cudaGraphExec_t exec, cudaStream_t last_used) {
        Box b{exec, nullptr};
        ensure(cudaEventCreateWithFlags(&b.left, cudaEventDisableTiming));
        ensure(cudaEventRecord(b.left, last_used));
        boxes_.push_back(b);
        sweep(false);
    }

private:
    struct Box {
        cudaGraphExec_t exec;
        cudaEvent_t left;
    };

    void sweep(bool all) {
        while (!boxes_.empty()) {
            Box& b = boxes_.front();
            if (all) {
                cudaEventSynchronize(b.left);
            } else if (cudaEventQuery(b.left) == cudaErrorNotReady) {
                cudaGetLastError();
                return;
            }
            cudaEventDestroy(b.left);
            cudaGraphExecDestroy(b.exec);
            boxes_.pop_front();
        }
    }

    std::deque<Box> boxes_;
};

// Runs what `record` enqueues as a graph; takes the last one over if its
// shape is the same.
class Replay {
public:
    explicit Replay(cudaStream_t s) : stream_(s) {}
    ~Replay() {
        if (exec_) attic_.put(exec_, stream_);
    }
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    template <class Record>
    void run(Record&& record) {
        cudaGraph_t graph = nullptr;
        ensure(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        record(stream_);
        ensure(cudaStreamEndCapture(stream_, &graph));
        adopt(graph);
        ensure(cudaGraphDestroy(graph));
        ensure(cudaGraphLaunch(exec_, stream_));
    }

    int shapes() const { return shapes_; }
    int updates() const { return updates_; }

private:
    void adopt(cudaGraph_t graph) {
        if (exec_) {
            cudaGraphExecUpdateResultInfo info{};
            if (cudaGraphExecUpdate(exec_, graph, &info) == cudaSuccess) {
                ++updates_;
                return;
            }
            cudaGetLastError();
            attic_.put(std::exchange(exec_, nullptr), stream_);
        }
        ensure(cudaGraphInstantiate(&exec_, graph, 0));
        ++shapes_;
    }

    cudaStream_t stream_;
    cudaGraphExec_t exec_ = nullptr;
    Attic attic_;
    int shapes_ = 0;
    int updates_ = 0;
};

// One node, put together by hand, for a row of hedge ratios.
class HedgeRow {
public:
    HedgeRow() {
        const Quote* q = nullptr;
        unsigned long long* units = nullptr;
        uint32_t ratio = 0;
        void* args[] = {&q, &units, &ratio};
        cudaKernelNodeParams p = shape(args);
        ensure(cudaGraphCreate(&graph_, 0));
        ensure(cudaGraphAddKernelNode(&node_, graph_, nullptr, 0, &p));
        ensure(cudaGraphInstantiate(&exec_, graph_, 0));
    }
    ~HedgeRow() {
        cudaGraphExecDestroy(exec_);
        cudaGraphDestroy(graph_);
    }
    HedgeRow(const HedgeRow&) = delete;
    HedgeRow& operator=(const HedgeRow&) = delete;

    void run(const Quote* q, unsigned long long* units, uint32_t ratio, cudaStream_t s) {
        void* args[] = {&q, &units, &ratio};
        const cudaKernelNodeParams p = shape(args);
        ensure(cudaGraphExecKernelNodeSetParams(exec_, node_, &p));
        ensure(cudaGraphLaunch(exec_, s));
    }

private:
    static cudaKernelNodeParams shape(void** args) {
        cudaKernelNodeParams p{};
        p.func = const_cast<void*>(hedge_entry());
        p.gridDim = dim3(kBlocks);
        p.blockDim = dim3(kThreads);
        p.kernelParams = args;
        return p;
    }

    cudaGraph_t graph_ = nullptr;
    cudaGraphNode_t node_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace desk
