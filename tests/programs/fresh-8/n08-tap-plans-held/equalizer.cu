// Three-band equaliser over a mono buffer.
#include <cstdio>
#include <memory>
#include <vector>

#include "plan.hpp"

namespace {

constexpr int kN = 1 << 14;

struct Band {
    std::vector<float> taps;
    float* out = nullptr;
    std::unique_ptr<taps::Plan> plan;
};

std::vector<float> boxTaps(int width, float level) {
    return std::vector<float>(width, level);
}

float reference(const std::vector<float>& x, const std::vector<float>& h, int i) {
    float acc = 0.f;
    for (int k = 0; k < static_cast<int>(h.size()) && k <= i; ++k) acc += h[k] * x[i - k];
    return acc;
}

int run() {
    taps::Engine engine;
    std::vector<float> signal(kN);
    for (int i = 0; i < kN; ++i) signal[i] = static_cast<float>((i * 11) % 29 - 14);

    float* in = nullptr;
    taps::check(cudaMalloc(&in, kN * sizeof(float)));
    taps::check(cudaMemcpy(in, signal.data(), kN * sizeof(float), cudaMemcpyHostToDevice));

    std::vector<Band> bands(3);
    bands[0].taps = boxTaps(32, 1.0f);
    bands[1].taps = boxTaps(32, 2.0f);
    bands[2].taps = boxTaps(32, 4.0f);
    for (auto& b : bands) {
        taps::check(cudaMalloc(&b.out, kN * sizeof(float)));
        b.plan = std::make_unique<taps::Plan>(engine, b.taps, in, b.out, kN);
    }

    for (int round = 0; round < 5; ++round)
        for (auto& b : bands) b.plan->exec();
    taps::check(cudaStreamSynchronize(engine.stream));

    int wrong = 0;
    std::vector<float> got(kN);
    for (auto& b : bands) {
        taps::check(cudaMemcpy(got.data(), b.out, kN * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < kN; ++i)
            if (got[i] != reference(signal, b.taps, i)) ++wrong;
        b.plan.reset();
        cudaFree(b.out);
    }
    cudaFree(in);
    return wrong;
}

}  // namespace

int main() {
    try {
        const int wrong = run();
        if (wrong) {
            std::printf("WRONG %d\n", wrong);
            return 1;
        }
    } catch (const taps::CudaFailure& f) {
        std::printf("ERROR %s\n", f.what());
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
