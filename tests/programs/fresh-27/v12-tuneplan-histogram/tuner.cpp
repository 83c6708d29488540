#include <algorithm>

#include "stopwatch.h"
#include "tuneplan.h"

namespace tuneplan {

namespace {

float measure(Plan& plan, const int* keys, int count, unsigned* histogram, cudaStream_t stream,
              const TuneOptions& options) {
    for (int i = 0; i < options.warmups; ++i) {
        plan.launch(keys, count, stream);
        plan.finish(histogram, stream);
    }
    ensure(cudaStreamSynchronize(stream));

    Stopwatch watch(stream);
    std::vector<float> times;
    for (int i = 0; i < options.repetitions; ++i) {
        watch.start();
        plan.launch(keys, count, stream);
        plan.finish(histogram, stream);
        watch.stop();
        times.push_back(watch.elapsed());
    }
    ensure(cudaStreamSynchronize(stream));
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

}  // namespace

std::vector<Candidate> tune(const int* keys, int count, unsigned* histogram, cudaStream_t stream,
                            const TuneOptions& options) {
    std::vector<Candidate> candidates;
    for (int lanes : options.lanes) {
        const std::unique_ptr<Plan> plan = makeHistogramPlan(lanes);
        candidates.push_back({lanes, measure(*plan, keys, count, histogram, stream, options)});
    }
    return candidates;
}

const Candidate& best(const std::vector<Candidate>& candidates) {
    return *std::min_element(
        candidates.begin(), candidates.end(),
        [](const Candidate& a, const Candidate& b) { return a.milliseconds < b.milliseconds; });
}

}  // namespace tuneplan
