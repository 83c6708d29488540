#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bandgraph.h"

namespace {

std::vector<float> reference(const std::vector<float>& in, const audio::BandSpec& b, int taps) {
    std::vector<float> coeff(taps), out(in.size());
    for (int i = 0; i < taps; ++i) {
        const int off = std::abs(i - b.centre);
        coeff[i] = off < b.width ? b.gain * static_cast<float>(b.width - off) : 0.0f;
    }
    for (int i = 0; i < static_cast<int>(in.size()); ++i) {
        float acc = 0.0f;
        for (int k = 0; k < taps && k <= i; ++k) acc += coeff[k] * in[i - k];
        out[i] = std::min(std::max(acc, -60000.0f), 60000.0f);
    }
    return out;
}

}  // namespace

int main() {
    constexpr int kSamples = 4096;
    constexpr int kTaps = 64;
    const std::vector<audio::BandSpec> bands = {{1.0f, 4, 3}, {2.0f, 16, 6}, {1.0f, 32, 10}, {3.0f, 50, 12}};
    try {
        audio::Equaliser eq(kSamples, kTaps, bands);
        int wrong = 0;
        for (int block = 0; block < 6; ++block) {
            std::vector<float> in(kSamples);
            for (int i = 0; i < kSamples; ++i) in[i] = static_cast<float>((i * 7 + block * 13) % 31 - 15);
            const auto out = eq.process(in);
            for (size_t b = 0; b < bands.size(); ++b) {
                const auto ref = reference(in, bands[b], kTaps);
                wrong += !std::equal(ref.begin(), ref.end(), out[b].begin(),
                                     [](float x, float y) { return std::fabs(x - y) < 0.5f; });
            }
        }
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const audio::DeviceError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
