#include <algorithm>
#include <chrono>

#include "bench/workload.h"

namespace bench {

Sample measure(Workload& w, LaneGroup& group, const Plan& plan) {
    w.setup(plan.lanes);
    for (int i = 0; i < plan.warm_up; ++i) {
        group.fork();
        w.launch(group);
        group.join();
    }
    group.settle();

    LaneTimer timer(group);
    std::vector<double> times;
    for (int i = 0; i < plan.samples; ++i) {
        timer.begin();
        w.launch(group);
        times.push_back(timer.end());
    }
    group.settle();

    std::sort(times.begin(), times.end());
    Sample s;
    s.name = w.name();
    s.best_ms = times.front();
    s.median_ms = times[times.size() / 2];
    s.verified = w.verify(plan.warm_up + plan.samples);
    return s;
}

double wall_time(Workload& w, LaneGroup& group) {
    BENCH_TRY(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    group.fork();
    w.launch(group);
    group.join();
    BENCH_TRY(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace bench
