#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "lanes.h"
#include "render_config.h"
#include "telemetry.h"
#include "tracer.h"

namespace farm {

void ensure(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

}  // namespace farm

int main() {
    const farm::RenderConfig config = farm::profile("final");
    farm::LaneSet lanes(config);
    farm::Telemetry telemetry(lanes.size());
    farm::Tracer tracer(config, lanes, telemetry);
    tracer.prime();

    const auto begin = std::chrono::steady_clock::now();
    for (int tile = 0; tile < config.tiles; ++tile) tracer.submit(tile);
    lanes.finish();
    const double took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();

    int wrong = tracer.check();
    unsigned counted = 0;
    for (unsigned n : telemetry.snapshot()) counted += n;
    if (counted != static_cast<unsigned>(config.tiles)) ++wrong;

    const int rounds = (config.tiles + config.lanes - 1) / config.lanes;
    const double ratio = took / (static_cast<double>(rounds) * config.tile_ms);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return wrong || ratio > 1.5 ? 1 : 0;
}
