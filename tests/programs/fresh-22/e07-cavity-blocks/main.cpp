#include "stepper.h"

#include <cstdio>

using namespace cavity;

static void hostStep(std::vector<int>& ez, std::vector<int>& hx, std::vector<int>& hy, int t)
{
    for (int y = 0; y + 1 < kSize; ++y)
        for (int x = 0; x + 1 < kSize; ++x) {
            int i = y * kSize + x;
            hx[i] -= (ez[i + kSize] - ez[i]) / 2;
            hy[i] += (ez[i + 1] - ez[i]) / 2;
        }
    for (int y = 1; y + 1 < kSize; ++y)
        for (int x = 1; x + 1 < kSize; ++x) {
            int i = y * kSize + x;
            ez[i] += (hy[i] - hy[i - 1] - hx[i] + hx[i - kSize]) / 2;
        }
    ez[(kSize / 2) * kSize + kSize / 3] += (t * 37 % 101 - 50) * 1000;
}

int main()
{
    constexpr int kSettle = 4, kBlocks = 3;
    StepOptions options;
    int wrong = 0;
    try {
        ProbeStore probes(kSize);
        Stepper stepper(probes, options);
        stepper.settle(kSettle);
        stepper.record();
        stepper.play(kBlocks);

        std::vector<int> ez(kSize * kSize, 0), hx(ez), hy(ez);
        const int total = kSettle + kBlocks * options.stepsPerBlock;
        const int lastBlock = total - options.stepsPerBlock;
        for (int t = 0; t < total; ++t) {
            hostStep(ez, hx, hy, t);
            int inBlock = t + 1 - lastBlock;
            if (inBlock > 0 && inBlock % options.stepsPerProbe == 0) {
                std::vector<int> got = stepper.probe(inBlock / options.stepsPerProbe - 1);
                for (int x = 0; x < kSize; ++x)
                    if (got[x] != ez[(kSize / 2 + 3) * kSize + x]) ++wrong;
            }
        }
        std::vector<int> got = stepper.field();
        for (std::size_t i = 0; i < got.size(); ++i)
            if (got[i] != ez[i]) ++wrong;
        std::printf("%d steps, %zu probes\n", total, probes.size());
    } catch (const CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }

    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
