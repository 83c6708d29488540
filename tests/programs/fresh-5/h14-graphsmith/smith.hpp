#pragma once

#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace smith {

struct Fault : std::runtime_error {
    explicit Fault(cudaError_t rc) : std::runtime_error(cudaGetErrorName(rc)) {}
};

inline void need(cudaError_t rc)
{
    if (rc != cudaSuccess) throw Fault(rc);
}

class Stream {
public:
    Stream() { need(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(s_); }
    Stream(const Stream&) = delete;
    operator cudaStream_t() const { return s_; }

private:
    cudaStream_t s_{};
};

class Event {
public:
    Event() { need(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
    ~Event() { cudaEventDestroy(e_); }
    Event(const Event&) = delete;
    operator cudaEvent_t() const { return e_; }

private:
    cudaEvent_t e_{};
};

template <std::size_t N>
class Recorder {
public:
    using Body = std::function<void(cudaStream_t)>;

    explicit Recorder(cudaStream_t trunk) : trunk_(trunk) {}

    // Runs the bodies side by side, each on a branch of the trunk.
    void fan(const std::array<Body, N>& bodies)
    {
        need(cudaEventRecord(fork_, trunk_));
        for (std::size_t i = 0; i < N; ++i) {
            need(cudaStreamWaitEvent(branches_[i], fork_, 0));
            bodies[i](branches_[i]);
            need(cudaEventRecord(joins_[i], branches_[i]));
        }
        for (const auto& join : joins_) need(cudaStreamWaitEvent(trunk_, join, 0));
    }

    template <class F>
    cudaGraph_t record(F&& program)
    {
        cudaGraph_t graph{};
        need(cudaStreamBeginCapture(trunk_, cudaStreamCaptureModeThreadLocal));
        program(*this);
        need(cudaStreamEndCapture(trunk_, &graph));
        return graph;
    }

    cudaStream_t trunk() const { return trunk_; }

private:
    cudaStream_t trunk_;
    std::array<Stream, N> branches_;
    Event fork_;
    std::array<Event, N> joins_;
};

class Executable {
public:
    Executable() = default;
    ~Executable() { reset(); }
    Executable(const Executable&) = delete;

    void adopt(cudaGraph_t graph)
    {
        cudaGraphExecUpdateResultInfo info{};
        if (!exec_ || cudaGraphExecUpdate(exec_, graph, &info) != cudaSuccess) {
            cudaGetLastError();
            reset();
            need(cudaGraphInstantiate(&exec_, graph, 0));
        }
        need(cudaGraphDestroy(graph));
    }
    void launch(cudaStream_t s) { need(cudaGraphLaunch(exec_, s)); }

private:
    void reset()
    {
        if (exec_) cudaGraphExecDestroy(std::exchange(exec_, nullptr));
    }
    cudaGraphExec_t exec_{};
};

}  // namespace smith
