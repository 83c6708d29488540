#pragma once

#include "projector.h"

#include <algorithm>

namespace ct {

struct Score {
    BackProjector* projector;
    double milliseconds;  // steady state, median
};

// Rates the projectors on a study; every repetition is checked against the phantom.
class Tuner {
public:
    Tuner(Study& study, std::vector<int> phantom) : study_(study), phantom_(std::move(phantom)) {}

    Score rate(BackProjector& projector)
    {
        for (int i = 0; i < kWarmUps; ++i) once(projector);
        std::vector<double> times;
        for (int i = 0; i < kRepetitions; ++i) times.push_back(once(projector));
        std::nth_element(times.begin(), times.begin() + kRepetitions / 2, times.end());
        return {&projector, times[kRepetitions / 2]};
    }
    Score best(const std::vector<std::unique_ptr<BackProjector>>& candidates)
    {
        std::vector<Score> scores;
        for (auto& candidate : candidates) scores.push_back(rate(*candidate));
        return *std::min_element(scores.begin(), scores.end(),
                                 [](const Score& a, const Score& b) { return a.milliseconds < b.milliseconds; });
    }
    int mismatches() const { return mismatches_; }
    cudaStream_t stream() const { return stream_; }

private:
    static constexpr int kWarmUps = 2;
    static constexpr int kRepetitions = 9;

    double once(BackProjector& projector)
    {
        check(cudaEventRecord(start_, stream_));
        projector.enqueue(study_, stream_);
        check(cudaEventRecord(stop_, stream_));
        const std::vector<int> volume = projector.collect(study_, stream_);
        mismatches_ += volume != phantom_;
        float ms = 0;
        check(cudaEventElapsedTime(&ms, start_, stop_));
        return ms;
    }

    Study& study_;
    std::vector<int> phantom_;
    CudaStream stream_;
    CudaEvent start_, stop_;
    int mismatches_ = 0;
};

}  // namespace ct
