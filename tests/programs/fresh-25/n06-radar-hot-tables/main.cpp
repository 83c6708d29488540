#include "detector.h"
#include <cstdio>

namespace {

std::vector<float> makeSweep(int index) {
    std::vector<float> sweep(radar::kSamples);
    for (int i = 0; i < radar::kSamples; ++i) sweep[i] = static_cast<float>((i + index) % 50);
    return sweep;
}

long verify(const std::vector<float>& sweep, const std::vector<float>& got, float gain) {
    long wrong = 0;
    for (int i = 0; i < radar::kSamples; ++i) {
        float want = sweep[i] * (gain + static_cast<float>((i * 2) % 3));
        if (got[i] != want) ++wrong;
    }
    return wrong;
}

}  // namespace

int main() {
    try {
        radar::ResidentDetector detector;
        long wrong = 0;
        float gain = 2.0f;
        std::vector<float> detections;

        detector.start(gain);
        for (int sweep = 0; sweep < 40; ++sweep) {
            if (sweep == 20) {
                gain = 5.0f;
                detector.recalibrate(gain);
            }
            auto samples = makeSweep(sweep);
            detector.process(samples, detections);
            wrong += verify(samples, detections, gain);
        }
        detector.stop();

        if (wrong) {
            std::printf("WRONG %ld\n", wrong);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
