#include <cmath>
#include <cstdio>
#include <vector>

#include "filter_bank.h"

namespace {

constexpr int kBlock = 4096;
constexpr int kBlocks = 8;

void oscillate(float* x, int block)
{
    for (int i = 0; i < kBlock; ++i) {
        const float t = float(block * kBlock + i);
        x[i] = std::sin(0.01f * t) + 0.5f * std::cos(0.37f * t);
    }
}

int compare(const float* in, const float* out, const Band& band)
{
    const Taps t = design(band);
    int wrong = 0;
    for (int i = 0; i < kBlock; ++i) {
        const float x1 = i > 0 ? in[i - 1] : 0.f;
        const float x2 = i > 1 ? in[i - 2] : 0.f;
        const float want = t.gain * (t.b0 * in[i] + t.b1 * x1 + t.b2 * x2);
        if (!(std::fabs(out[i] - want) < 1e-4f)) ++wrong;
    }
    return wrong;
}

}  // namespace

int main()
{
    const std::vector<Band> bands = {
        {0.1f, 0.2f, 1.0f}, {0.4f, 0.9f, 0.7f}, {-0.3f, 0.5f, 1.6f}, {0.8f, 1.3f, 0.4f},
        {-0.9f, 0.1f, 2.1f}, {0.0f, 0.6f, 1.2f}, {0.6f, -0.8f, 0.9f}, {-0.5f, 1.7f, 1.9f}};

    FilterBank bank(bands, kBlock);
    int wrong = 0;
    for (int block = 0; block < kBlocks; ++block) {
        oscillate(bank.input(), block);
        bank.play();
        for (int b = 0; b < int(bands.size()); ++b)
            wrong += compare(bank.input(), bank.output(b), bands[b]);
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
