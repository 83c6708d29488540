#include "suite.h"
#include <chrono>
#include <cstdio>

namespace {

// Wall time of the same groups of pictures on an idle device.
double wallMilliseconds(suite::Workload& workload, int gops) {
    suite::verifyCall(cudaDeviceSynchronize());
    auto start = std::chrono::steady_clock::now();
    for (int g = 0; g < gops; ++g) workload.enqueueGop(g);
    suite::verifyCall(cudaDeviceSynchronize());
    auto stop = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(stop - start).count();
}

}  // namespace

int main() {
    try {
        auto& registry = suite::Registry::instance();
        suite::registerGopWorkloads(registry);

        suite::BenchConfig config;
        auto workload = registry.create(config);
        suite::Harness harness(config);
        suite::Throughput throughput = harness.measure(*workload);
        std::fprintf(stderr, "%s: %d frames, %.1f fps\n", config.workload.c_str(),
                     throughput.frames, throughput.fps());

        double wall = wallMilliseconds(*workload, config.measuredGops);
        double ratio = wall / throughput.milliseconds;
        if (ratio < 1.0) ratio = 1.0 / ratio;
        long wrong = workload->validate(config.measuredGops);
        if (wrong) std::printf("WRONG %ld\n", wrong);
        else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
        else std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
