#include "bench.hpp"

namespace bench {

namespace {

void sweep(Lanes& lanes)
{
    // The lanes work on disjoint partitions, each in its own order.
    for (auto& [name, lane] : lanes) lane->run();
}

}  // namespace

double sweep_ms(const Settings& settings, Lanes& lanes)
{
    for (int i = 0; i < settings.warmup; ++i) sweep(lanes);
    check(cudaDeviceSynchronize());

    Lane& lead = *lanes.begin()->second;
    Stopwatch watch;
    watch.start(lead.stream());
    for (int i = 0; i < settings.iterations; ++i) sweep(lanes);
    for (auto& entry : lanes) {
        Lane& lane = *entry.second;
        lane.mark();
        lead.after(lane);
    }
    const double elapsed = watch.stop(lead.stream());
    return elapsed / settings.iterations;
}

}  // namespace bench
