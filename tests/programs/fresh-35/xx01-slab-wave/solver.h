// Explicit second-order time stepping over all slabs.
#pragma once

#include "grid.h"
#include "slab.cuh"

#include <vector>

namespace acoustic {

struct RunSummary {
    int steps = 0;
    int haloCopies = 0;
    double enqueueMillis = 0.0;
    double totalMillis = 0.0;
};

class Solver {
public:
    explicit Solver(const SurveyConfig& config);

    void load(const Survey& survey);
    RunSummary run();
    Field gather() const;

private:
    const Slab* above(std::size_t i) const { return i > 0 ? &slabs_[i - 1] : nullptr; }
    const Slab* below(std::size_t i) const { return i + 1 < slabs_.size() ? &slabs_[i + 1] : nullptr; }

    int exchange(const Levels& levels);

    SurveyConfig config_;
    std::vector<Slab> slabs_;
    int step_ = 0;
};

}  // namespace acoustic
