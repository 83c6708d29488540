// Strain gauges: every block of samples is amplified, centred and clipped.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "plan.h"

namespace {

constexpr int kSamples = 1 << 16;
constexpr int kBlocks = 8;

int fail(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    return 1;
}

int differences(const std::vector<float>& in, const std::vector<float>& out) {
    double sum = 0.0;
    for (float v : in) sum += 2.0 * v;
    const double mean = sum / kSamples;
    int bad = 0;
    for (int i = 0; i < kSamples; ++i) {
        const double want = std::min(std::max(2.0 * in[i] - mean, -20.0), 20.0);
        bad += std::fabs(want - out[i]) > 0.01;
    }
    return bad;
}

}  // namespace

int main() {
    std::unique_ptr<sensor::Plan> plan;
    const cudaError_t built = sensor::PlanBuilder()
                                  .samples(kSamples)
                                  .then(sensor::makeGain(2.0f))
                                  .then(sensor::makeCentre())
                                  .then(sensor::makeClip(-20.0f, 20.0f))
                                  .build(&plan);
    if (built != cudaSuccess) return fail(built);

    int bad = 0;
    std::vector<float> in(kSamples), out(kSamples);
    for (int block = 0; block < kBlocks; ++block) {
        for (int i = 0; i < kSamples; ++i) in[i] = static_cast<float>((i * (block + 1)) % 32);
        if (cudaError_t e = plan->process(in.data(), out.data())) return fail(e);
        bad += differences(in, out);
    }
    if (bad != 0) {
        std::printf("WRONG %d\n", bad);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
