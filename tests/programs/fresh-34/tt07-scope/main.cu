// scope: an oscilloscope with filters chosen by name and a resident trigger
#include "instrument.cuh"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

constexpr int kSamples = 8192;
constexpr int kFrames = 12;

std::vector<float> capture(int frame)
{
    std::vector<float> v(kSamples);
    for (int i = 0; i < kSamples; ++i)
        v[i] = static_cast<float>((i * 3 + frame * 7) % 113);
    return v;
}

} // namespace

int main()
{
    try {
        scope::Instrument in({"offset", "mirror", "clip", "offset"}, kSamples);

        std::vector<std::vector<float>> got;
        in.arm(kFrames);
        for (int f = 0; f < kFrames; ++f)
            got.push_back(in.process(capture(f)));
        const unsigned fired = in.disarm();

        long bad = fired != kFrames;
        for (int f = 0; f < kFrames; ++f) {
            const auto want = in.reference(capture(f));
            for (int i = 0; i < kSamples; ++i)
                bad += std::fabs(want[i] - got[f][i]) > 1e-4f;
        }

        if (bad)
            std::printf("WRONG %ld\n", bad);
        else
            std::puts("DONE");
    } catch (const std::exception &e) {
        std::printf("ERROR %s\n", e.what());
    }
    return 0;
}
