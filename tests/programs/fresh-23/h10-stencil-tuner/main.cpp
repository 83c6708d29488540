#include "stencil.h"

#include <algorithm>
#include <chrono>

namespace {

struct GridMemory {
    explicit GridMemory(tune::Grid& grid) : grid_(grid) {
        TUNE_CALL(cudaMalloc(reinterpret_cast<void**>(&grid_.current), grid_.bytes()));
        TUNE_CALL(cudaMalloc(reinterpret_cast<void**>(&grid_.next), grid_.bytes()));
    }
    ~GridMemory() {
        cudaFree(grid_.current);
        cudaFree(grid_.next);
    }
    tune::Grid& grid_;
};

// Time per sweep as the application sees it when it runs the chosen candidate.
double production(const tune::Session& session, const tune::Candidate& candidate, tune::Grid& grid) {
    using Clock = std::chrono::steady_clock;
    constexpr int kSweeps = 6;
    const cudaStream_t compute = session.stream(tune::Role::Compute);
    TUNE_CALL(cudaStreamSynchronize(compute));
    const auto begin = Clock::now();
    for (int i = 0; i < kSweeps; ++i) candidate.sweep(grid, compute);
    TUNE_CALL(cudaStreamSynchronize(compute));
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count() / kSweeps;
}

}  // namespace

int main() {
    try {
        tune::Session session;
        tune::Grid grid;
        GridMemory memory(grid);
        const auto list = tune::candidates();
        tune::Tuner tuner(session, 2, 8);
        const auto scores = tuner.rank(list, grid);

        double worst = 1.0;
        for (const auto& score : scores) {
            const double told = std::max(1e-6, static_cast<double>(score.millisecondsPerSweep));
            const double seen = production(session, list[score.candidate], grid);
            worst = std::max({worst, told / seen, seen / told});
            std::printf("%-10s %8.3f ms per sweep, in production %8.3f ms\n",
                        list[score.candidate].name.c_str(), told, seen);
        }
        if (worst > 1.5) std::printf("SLOW %.1f\n", worst);
        else std::printf("DONE\n");
    } catch (const tune::Failure& failure) {
        std::printf("ERROR %s\n", failure.what());
        return 1;
    }
    return 0;
}
