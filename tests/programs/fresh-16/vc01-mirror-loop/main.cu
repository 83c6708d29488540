#include <array>
#include <cmath>
#include <cstdio>
#include <vector>
#include "mirror_loop.cuh"
#include "telemetry.cuh"

namespace {

constexpr int kTypicalBlock = 256;
constexpr int kLongestBlock = 1024;

std::vector<float> makeGain() {
    std::vector<float> g(ao::kActuators * ao::kActuators);
    for (int i = 0; i < ao::kActuators; ++i)
        for (int j = 0; j < ao::kActuators; ++j)
            g[i * ao::kActuators + j] = (i == j ? 0.6f : 0.0f) + 0.002f * static_cast<float>((i + 3 * j) % 11);
    return g;
}

std::array<float, ao::kActuators> slopesOf(int frame) {
    std::array<float, ao::kActuators> s{};
    for (int j = 0; j < ao::kActuators; ++j) s[j] = 0.05f * static_cast<float>((frame * 7 + j * 3) % 29) - 0.7f;
    return s;
}

double figureOf(const float* history, int frames) {
    double sum = 0.0;
    for (int f = 0; f < frames; ++f)
        for (int p = 0; p < ao::kPupil; ++p) {
            const double v = static_cast<double>(history[f * ao::kActuators + p % ao::kActuators]) * ao::pupilWeight(p);
            sum += v * v;
        }
    return sum / ao::kPupil / frames;
}

}  // namespace

int main() {
    const std::vector<float> gain = makeGain();
    float* history = nullptr;
    ao::require(cudaMallocHost(&history, sizeof(float) * kLongestBlock * ao::kActuators));
    for (int i = 0; i < kLongestBlock * ao::kActuators; ++i) history[i] = 1.0f;

    int bad = 0;
    {
        ao::Telemetry telemetry(kLongestBlock, kTypicalBlock);
        if (std::fabs(telemetry.publish(history, 1) - figureOf(history, 1)) > 1e-3) ++bad;

        ao::MirrorLoop loop(gain);
        int frame = 0;
        for (int block : {kTypicalBlock, kTypicalBlock, kLongestBlock}) {
            for (int f = 0; f < block; ++f, ++frame) {
                const auto slopes = slopesOf(frame);
                float* volts = history + f * ao::kActuators;
                loop.step(slopes, volts);
                float want = 0.0f;
                const int probe = frame % ao::kActuators;
                for (int j = 0; j < ao::kActuators; ++j) want += gain[probe * ao::kActuators + j] * slopes[j];
                if (std::fabs(want - volts[probe]) > 1e-3f) ++bad;
            }
            const double want = figureOf(history, block);
            if (std::fabs(telemetry.publish(history, block) - want) > 1e-3 * (1.0 + want)) ++bad;
        }
    }
    ao::require(cudaFreeHost(history));
    if (bad) std::printf("WRONG %d\n", bad);
    else std::printf("DONE\n");
    return 0;
}
