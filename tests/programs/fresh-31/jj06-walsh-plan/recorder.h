// Records a branched sequence of device work and turns it into a Plan.
#pragma once
#include "base.h"

namespace spec {

class Plan {
public:
    Plan(cudaGraphExec_t x, std::vector<Block> blocks, std::shared_ptr<Weights> w)
        : exec_(x), blocks_(std::move(blocks)), weights_(std::move(w)) {}
    ~Plan() { if (exec_) cudaGraphExecDestroy(exec_); }
    Plan(Plan&& o) noexcept
        : exec_(std::exchange(o.exec_, nullptr)), blocks_(std::move(o.blocks_)),
          weights_(std::move(o.weights_)) {}
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    void execute(cudaStream_t s) const { must(cudaGraphLaunch(exec_, s)); }

private:
    cudaGraphExec_t exec_;
    std::vector<Block> blocks_;
    std::shared_ptr<Weights> weights_;
};

class Recorder {
public:
    explicit Recorder(std::shared_ptr<Weights> w) : trunk_(new_stream()), weights_(std::move(w)) {
        must(cudaStreamBeginCapture(trunk_.get(), cudaStreamCaptureModeRelaxed));
    }

    cudaStream_t trunk() const { return trunk_.get(); }
    const Weights& weights() const { return *weights_; }

    cudaStream_t fork() {
        branches_.push_back(new_stream());
        link(trunk_.get(), branches_.back().get());
        return branches_.back().get();
    }

    void gather() {
        for (StreamPtr& b : branches_) link(b.get(), trunk_.get());
    }

    Word* scratch(int n) {
        Block b = new_block(n * sizeof(Word));
        Word* p = static_cast<Word*>(b.get());
        blocks_.push_back(std::move(b));
        return p;
    }

    Plan finish() && {
        cudaGraph_t g = nullptr;
        cudaGraphExec_t x = nullptr;
        must(cudaStreamEndCapture(trunk_.get(), &g));
        must(cudaGraphInstantiate(&x, g, 0));
        must(cudaGraphDestroy(g));
        return Plan(x, std::move(blocks_), std::move(weights_));
    }

private:
    static void link(cudaStream_t from, cudaStream_t to) {
        EventPtr e = new_event();
        must(cudaEventRecord(e.get(), from));
        must(cudaStreamWaitEvent(to, e.get(), 0));
    }

    StreamPtr trunk_;
    std::shared_ptr<Weights> weights_;
    std::vector<StreamPtr> branches_;
    std::vector<Block> blocks_;
};

}  // namespace spec
