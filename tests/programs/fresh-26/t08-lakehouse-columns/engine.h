#pragma once
#include "operators.cuh"

namespace etl {

struct EngineConfig {
    int lanes = 4;
};

class PlanBuilder {
public:
    template <class Op, class... Args>
    PlanBuilder& then(Args&&... args) {
        plan_.push_back(std::make_unique<Op>(std::forward<Args>(args)...));
        return *this;
    }
    std::vector<std::unique_ptr<Operator>> build() { return std::move(plan_); }

private:
    std::vector<std::unique_ptr<Operator>> plan_;
};

// Runs one plan over many morsels, round robin over the lanes.
class Engine {
public:
    Engine(const EngineConfig& config, std::vector<std::unique_ptr<Operator>> plan) : plan_(std::move(plan)) {
        for (int i = 0; i < config.lanes; ++i) {
            Lane lane{i, nullptr};
            ETL_OK(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
            lanes_.push_back(lane);
        }
    }
    ~Engine() {
        for (auto& l : lanes_) cudaStreamDestroy(l.stream);
    }
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    void execute(const std::vector<Morsel>& morsels) {
        std::size_t turn = 0;
        for (const auto& m : morsels) {
            const Lane& lane = lanes_[turn++ % lanes_.size()];
            for (auto& op : plan_) op->enqueue(context_, m, lane);
        }
        for (auto& l : lanes_) ETL_OK(cudaStreamSynchronize(l.stream));
    }

    int lanes() const { return static_cast<int>(lanes_.size()); }
    const ExecContext& context() const { return context_; }

private:
    ExecContext context_;
    std::vector<std::unique_ptr<Operator>> plan_;
    std::vector<Lane> lanes_;
};

}  // namespace etl
