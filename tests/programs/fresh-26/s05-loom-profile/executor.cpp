#include "executor.h"

namespace loom {

namespace {

class LaneScope {
public:
    LaneScope(Lanes& lanes, cudaStream_t caller) : lanes_(lanes), caller_(caller) { lanes_.fork(caller_); }
    ~LaneScope() noexcept(false) { lanes_.join(caller_); }

private:
    Lanes& lanes_;
    cudaStream_t caller_;
};

struct Span {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;

    Span() {
        ok(cudaEventCreate(&begin));
        ok(cudaEventCreate(&end));
    }
    ~Span() {
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
    }
    float ms() const {
        float value = 0.0f;
        ok(cudaEventSynchronize(end));
        ok(cudaEventElapsedTime(&value, begin, end));
        return value;
    }
};

class StreamClock {
public:
    StreamClock(Span& span, cudaStream_t stream) : span_(span), stream_(stream) {
        ok(cudaEventRecord(span_.begin, stream_));
    }
    ~StreamClock() noexcept(false) { ok(cudaEventRecord(span_.end, stream_)); }

private:
    Span& span_;
    cudaStream_t stream_;
};

}  // namespace

Executor::Executor(int lanes) : lanes_(lanes) {}

Executor::~Executor() {
    for (auto e : finished_) cudaEventDestroy(e);
}

cudaEvent_t Executor::finished(std::size_t node) {
    while (finished_.size() <= node) {
        finished_.emplace_back();
        ok(cudaEventCreateWithFlags(&finished_.back(), cudaEventDisableTiming));
    }
    return finished_[node];
}

void Executor::dispatch(const Graph& graph, cudaStream_t caller) {
    const auto& nodes = graph.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        cudaStream_t stream = lanes_.at(node.lane, caller);
        for (int before : node.after)
            if (nodes[before].lane != node.lane) ok(cudaStreamWaitEvent(stream, finished(before), 0));
        node.task(stream);
        ok(cudaEventRecord(finished(i), stream));
    }
}

void Executor::run(const Graph& graph, cudaStream_t stream) {
    LaneScope scope(lanes_, stream);
    dispatch(graph, stream);
}

Profile Executor::profile(const Graph& graph, cudaStream_t stream, int passes) {
    run(graph, stream);
    ok(cudaStreamSynchronize(stream));

    Profile result;
    for (int pass = 0; pass < passes; ++pass) {
        Span span;
        {
            LaneScope scope(lanes_, stream);
            StreamClock clock(span, stream);
            dispatch(graph, stream);
        }
        result.samples_ms.push_back(span.ms());
        ok(cudaStreamSynchronize(stream));
    }
    return result;
}

}  // namespace loom
