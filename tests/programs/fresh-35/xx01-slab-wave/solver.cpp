#include "solver.h"

#include <chrono>

namespace acoustic {

using Clock = std::chrono::steady_clock;

static double millisSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Solver::Solver(const SurveyConfig& config) : config_(config) {
    const auto extents = partition(config_);
    slabs_.reserve(extents.size());
    for (const SlabExtent& extent : extents) slabs_.emplace_back(config_, extent);
}

void Solver::load(const Survey& survey) {
    for (Slab& slab : slabs_) slab.load(survey);
    step_ = 0;
}

int Solver::exchange(const Levels& levels) {
    int copies = 0;
    for (std::size_t i = 0; i < slabs_.size(); ++i) {
        if (const Slab* upper = above(i)) {
            slabs_[i].pullHalo(*upper, Side::Top, levels);
            ++copies;
        }
        if (const Slab* lower = below(i)) {
            slabs_[i].pullHalo(*lower, Side::Bottom, levels);
            ++copies;
        }
        slabs_[i].closeHalo(levels);
    }
    return copies;
}

RunSummary Solver::run() {
    RunSummary summary;
    const auto start = Clock::now();
    for (; step_ < config_.steps; ++step_) {
        const Levels levels = Levels::at(step_);
        summary.haloCopies += exchange(levels);
        for (Slab& slab : slabs_) slab.advance(levels);
        ++summary.steps;
    }
    summary.enqueueMillis = millisSince(start);
    GPU_CHECK(cudaDeviceSynchronize());
    summary.totalMillis = millisSince(start);
    return summary;
}

Field Solver::gather() const {
    Field result(config_.columns, config_.rows);
    const int level = Levels::at(step_).cur;
    for (const Slab& slab : slabs_) slab.store(result, level);
    return result;
}

}  // namespace acoustic
