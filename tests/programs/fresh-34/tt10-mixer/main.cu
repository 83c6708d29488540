// mixer: runs a few blocks with changing settings and compares with the host
#include "mixer.h"

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using namespace mixer;

struct Setting {
    float gain;
    float threshold;
};

void play(int block, float *in)
{
    for (int i = 0; i < kSamples; ++i)
        in[i] = static_cast<float>((i * 3 + block * 5) % 17) * 0.125f;
}

long check(const Mixer &m, const float *in, const Setting &s)
{
    long bad = 0;
    unsigned loud = 0;
    for (int b = 0; b < kBands; ++b) {
        float taps[kTaps];
        design(b, taps);
        for (int i = 0; i < kSamples; ++i) {
            float sum = 0;
            for (int t = 0; t < kTaps && t <= i; ++t)
                sum += taps[t] * in[i - t];
            sum *= s.gain;
            bad += !(std::fabs(sum - m.band(b)[i]) < 1e-3f);
            loud += m.band(b)[i] > s.threshold;
        }
    }
    return bad + (loud != m.loud());
}

} // namespace

int main()
{
    const Setting settings[] = {{1.0f, 10.0f}, {1.0f, 20.0f}, {0.5f, 12.0f}, {2.0f, 30.0f}};

    try {
        Mixer m;
        Setting now{1.0f, 10.0f};
        long bad = 0;
        int block = 0;
        for (const auto &s : settings) {
            if (s.gain != now.gain)
                m.set_gain(s.gain);
            if (s.threshold != now.threshold)
                m.set_threshold(s.threshold);
            now = s;
            play(block++, m.input());
            m.process();
            bad += check(m, m.input(), now);
        }
        if (bad)
            std::printf("WRONG %ld\n", bad);
        else
            std::puts("DONE");
    } catch (const Failure &f) {
        std::printf("ERROR %s\n", f.what());
    }
    return 0;
}
