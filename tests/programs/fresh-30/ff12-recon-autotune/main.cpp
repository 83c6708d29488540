// Picks the back projector for a scanner and states the time of a reconstruction.
#include "tuner.h"

#include <chrono>
#include <cstdio>

using namespace ct;

namespace {

std::vector<int> reconstructOnHost(const Study& study)
{
    const Geometry& g = study.geometry();
    std::vector<int> volume(g.voxels, 0);
    for (int v = 0; v < g.voxels; ++v)
        for (int view = 0; view < g.views; ++view) volume[v] += study.measured()[view * g.detectors + g.hit(v, view)];
    return volume;
}

// A run of scans as the console sees it, in milliseconds per scan.
double production(Study& study, BackProjector& projector, cudaStream_t stream)
{
    constexpr int scans = 8;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < scans; ++i) {
        projector.enqueue(study, stream);
        projector.collect(study, stream);
    }
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
    return elapsed.count() / scans;
}

}  // namespace

int main()
{
    try {
        Study study{Geometry{}};
        Tuner tuner(study, reconstructOnHost(study));
        const auto candidates = allProjectors();
        const Score chosen = tuner.best(candidates);
        const double seen = production(study, *chosen.projector, tuner.stream());
        const double ratio = seen / chosen.milliseconds;
        if (tuner.mismatches())
            std::printf("WRONG %d\n", tuner.mismatches());
        else if (ratio > 1.5 || ratio < 1 / 1.5)
            std::printf("SLOW %.2f\n", ratio);
        else
            std::printf("DONE\n");
        return 0;
    } catch (const CudaFailure& failure) {
        std::printf("ERROR %s\n", failure.what());
        return 1;
    }
}
