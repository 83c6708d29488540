#include "flow.hpp"

namespace road {

Flow& Flow::then(std::unique_ptr<Step> step) {
    if (!steps_.empty()) step->follow(*steps_.back());
    steps_.push_back(std::move(step));
    return *this;
}

void Flow::run(const FrameSet& set) {
    for (int frame = 0; frame < set.frames; ++frame)
        for (auto& step : steps_) step->process(set, frame);
    for (auto& step : steps_) step->finish();
}

}  // namespace road
