#include "executor.h"

namespace bench {

namespace {

class StreamExecutor final : public Executor {
public:
    explicit StreamExecutor(Surrogate &s) : s_(s) {}
    std::string name() const override { return "streams"; }
    void submit(const StepParams &p) override { s_.enqueue(p); }
    void drain() override { check(cudaStreamSynchronize(s_.origin())); }

private:
    Surrogate &s_;
};

// Replays one executable graph; every step updates it in place.
class GraphExecutor final : public Executor {
public:
    explicit GraphExecutor(Surrogate &s) : s_(s) {}
    ~GraphExecutor() override
    {
        if (exec_) cudaGraphExecDestroy(exec_);
    }
    std::string name() const override { return "graph"; }

    void submit(const StepParams &p) override
    {
        cudaGraph_t graph = nullptr;
        check(cudaStreamBeginCapture(s_.origin(), cudaStreamCaptureModeThreadLocal));
        s_.enqueue(p);
        check(cudaStreamEndCapture(s_.origin(), &graph));
        if (exec_) {
            cudaGraphExecUpdateResultInfo info{};
            check(cudaGraphExecUpdate(exec_, graph, &info));
        } else {
            check(cudaGraphInstantiate(&exec_, graph, 0));
        }
        check(cudaGraphDestroy(graph));
        check(cudaGraphLaunch(exec_, s_.origin()));
    }

    void drain() override { check(cudaStreamSynchronize(s_.origin())); }

private:
    Surrogate &s_;
    cudaGraphExec_t exec_ = nullptr;
};

} // namespace

std::unique_ptr<Executor> make_stream_executor(Surrogate &s) { return std::make_unique<StreamExecutor>(s); }
std::unique_ptr<Executor> make_graph_executor(Surrogate &s) { return std::make_unique<GraphExecutor>(s); }

} // namespace bench
