#include "bench.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr int kCells = 1 << 18;
constexpr int kIterations = 5;

int run() {
    Grid grid;
    grid.n = kCells;
    need(cudaMalloc(&grid.cells, kCells * sizeof(float)));
    need(cudaMemset(grid.cells, 0, kCells * sizeof(float)));
    need(cudaDeviceSynchronize());

    std::vector<Candidate> candidates;
    candidates.emplace_back(Fused{});
    candidates.emplace_back(Split{});

    Harness harness(kIterations);
    double worst = 1.0;
    for (const auto& c : candidates) {
        std::visit(
            [&](const auto& impl) {
                const Sample s = harness.measure([&](cudaStream_t stream) { impl.step(grid, stream); });
                std::printf("%-6s %8.3f ms/step\n", impl.name, s.event_ms);
                const double got = std::max(s.event_ms, 1e-3);
                worst = std::max({worst, got / s.wall_ms, s.wall_ms / got});
            },
            c);
    }

    std::vector<float> cells(kCells);
    need(cudaMemcpy(cells.data(), grid.cells, kCells * sizeof(float), cudaMemcpyDeviceToHost));
    const float want = 2.0f * (kIterations + 1);
    const auto wrong = std::count_if(cells.begin(), cells.end(), [want](float v) { return v != want; });
    cudaFree(grid.cells);

    if (wrong)
        std::printf("WRONG %ld\n", static_cast<long>(wrong));
    else if (worst > 1.5)
        std::printf("SLOW %.2f\n", worst);
    else
        std::printf("DONE\n");
    return 0;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const BenchError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
