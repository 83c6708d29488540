#include "fir_bank.cuh"

#include <cmath>

int main() {
    using namespace audio;
    const Preset preset{{{0.05f, 0.04f, 1.2f},
                         {0.30f, 0.06f, 0.8f},
                         {0.75f, 0.05f, 1.5f},
                         {1.40f, 0.08f, 0.6f},
                         {2.20f, 0.10f, 1.1f}}};
    std::vector<float> total(kTaps, 0.f), taps(kTaps);
    for (const auto& spec : preset) {
        design_band(spec, taps.data());
        for (int k = 0; k < kTaps; ++k) total[k] += taps[k];
    }

    FirBank bank;
    bank.compile(preset);

    std::vector<float> in(kBlock), out(kBlock);
    long wrong = 0;
    for (int block = 0; block < 6; ++block) {
        for (int i = 0; i < kBlock; ++i)
            in[i] = std::sin(0.01f * static_cast<float>(i * (block + 1))) + 0.1f * (i % 7);
        bank.process(in.data(), out.data());
        for (int i = 0; i < kBlock; ++i) {
            float want = 0.f;
            for (int k = 0; k < kTaps && k <= i; ++k) want += total[k] * in[i - k];
            if (std::fabs(want - out[i]) > 2e-2f) ++wrong;
        }
    }
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
