#pragma once
#include "fail.h"
#include <array>
#include <memory>
#include <utility>

namespace codec {

template <class H, CUresult (*Destroy)(H)>
class Unique {
public:
    Unique() = default;
    explicit Unique(H h) : h_(h) {}
    Unique(Unique&& o) noexcept : h_(std::exchange(o.h_, H{})) {}
    Unique& operator=(Unique&& o) noexcept {
        std::swap(h_, o.h_);
        return *this;
    }
    ~Unique() {
        if (h_) Destroy(h_);
    }
    H get() const { return h_; }
    H* put() { return &h_; }

private:
    H h_{};
};

using Stream = Unique<CUstream, cuStreamDestroy>;
using Event = Unique<CUevent, cuEventDestroy>;
using Graph = Unique<CUgraph, cuGraphDestroy>;
using Exec = Unique<CUgraphExec, cuGraphExecDestroy>;

inline Stream newStream() {
    Stream s;
    run(cuStreamCreate(s.put(), CU_STREAM_NON_BLOCKING));
    return s;
}
inline Event newEvent() {
    Event e;
    run(cuEventCreate(e.put(), CU_EVENT_DISABLE_TIMING));
    return e;
}

// Records whatever the body enqueues on the trunk and its branches.
template <size_t Branches>
class Recording {
public:
    Recording() : trunk_(newStream()), split_(newEvent()) {
        for (auto& b : branch_) b = newStream();
        for (auto& e : merged_) e = newEvent();
    }

    template <class Body>
    Exec capture(Body&& body) {
        Graph graph;
        Exec exec;
        run(cuStreamBeginCapture(trunk_.get(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
        body(*this);
        run(cuStreamEndCapture(trunk_.get(), graph.put()));
        run(cuGraphInstantiate(exec.put(), graph.get(), 0));
        return exec;
    }

    template <class Fn>
    void parallel(Fn&& fn) {
        run(cuEventRecord(split_.get(), trunk_.get()));
        for (size_t i = 0; i < Branches; ++i) {
            run(cuStreamWaitEvent(branch_[i].get(), split_.get(), 0));
            fn(i, branch_[i].get());
            run(cuEventRecord(merged_[i].get(), branch_[i].get()));
        }
        for (auto& e : merged_) run(cuStreamWaitEvent(trunk_.get(), e.get(), 0));
    }

    CUstream trunk() const { return trunk_.get(); }

private:
    Stream trunk_;
    std::array<Stream, Branches> branch_;
    Event split_;
    std::array<Event, Branches> merged_;
};

}  // namespace codec
