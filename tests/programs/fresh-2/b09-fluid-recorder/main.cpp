#include "lane.h"
#include <cmath>

namespace {

constexpr int kCells = 1 << 16;
constexpr int kSteps = 20;

float* field() {
    float* p = nullptr;
    FLUID_CHECK(cudaMalloc(reinterpret_cast<void**>(&p), kCells * sizeof(float)));
    FLUID_CHECK(cudaMemset(p, 0, kCells * sizeof(float)));
    return p;
}

int compare(const float* dev, float want) {
    std::vector<float> host(kCells);
    FLUID_CHECK(cudaMemcpy(host.data(), dev, kCells * sizeof(float), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (float v : host)
        if (std::fabs(v - want) > 1e-3f) ++bad;
    return bad;
}

}  // namespace

int main() {
    const fluid::Grid grid{kCells, field(), field(), field()};
    FLUID_CHECK(cudaDeviceSynchronize());

    int bad = 0;
    {
        fluid::Lane lane;
        std::vector<std::unique_ptr<fluid::Operator>> ops;
        ops.push_back(fluid::makeFlux());
        ops.push_back(fluid::makeDye());
        ops.push_back(fluid::makeAdvance());
        const auto step = [&] {
            for (auto& op : ops) op->apply(grid, lane);
        };

        step();
        FLUID_CHECK(cudaDeviceSynchronize());

        fluid::Recorder recorder(lane);
        recorder.record(step);
        recorder.replay(kSteps);
        FLUID_CHECK(cudaDeviceSynchronize());

        float h = 0.0f;
        for (int i = 0; i < kSteps + 1; ++i) h += 0.125f * (0.25f * h + 0.5f);
        bad += compare(grid.height, h);
        bad += compare(grid.dye, static_cast<float>(kSteps + 1));
    }

    for (float* p : {grid.height, grid.flux, grid.dye}) cudaFree(p);
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return 0;
}
