// Pulse compression of a phased array: the beams of a dwell are worked on side by side.
#include <chrono>
#include <vector>

#include "lane.cuh"

namespace {

constexpr int kBeams = 4;
constexpr int kPulses = 6;
constexpr int kBins = 4096;
constexpr double kPulseMs = 20.0;

double runDwell(std::vector<radar::Lane>& lanes, int firstPulse, int pulses) {
    const auto begin = std::chrono::steady_clock::now();
    for (int p = 0; p < pulses; ++p) {
        for (radar::Lane& lane : lanes) lane.pulse(firstPulse + p);
    }
    for (const radar::Lane& lane : lanes) lane.finish();
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(end - begin).count();
}

int countWrong(const std::vector<radar::Lane>& lanes, int pulses) {
    std::vector<float> power(kBins);
    int wrong = 0;
    for (const radar::Lane& lane : lanes) {
        radar::expect(cudaMemcpy(power.data(), lane.power(), kBins * sizeof(float),
                                 cudaMemcpyDeviceToHost));
        for (int i = 0; i < kBins; ++i) {
            float expected = 0.0f;
            for (int p = 0; p < pulses; ++p) expected += static_cast<float>(lane.beam() + p + i % 16);
            wrong += power[i] != expected;
        }
    }
    return wrong;
}

}  // namespace

int main() {
    double elapsed = 0.0;
    int wrong = 0;
    {
        std::vector<radar::Lane> lanes;
        for (int beam = 0; beam < kBeams; ++beam) lanes.emplace_back(beam, kBins);
        radar::expect(cudaDeviceSynchronize());
        runDwell(lanes, 0, 1);
        elapsed = runDwell(lanes, 1, kPulses);
        wrong = countWrong(lanes, kPulses + 1);
    }
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    const double ratio = elapsed / (kPulses * kPulseMs);
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
