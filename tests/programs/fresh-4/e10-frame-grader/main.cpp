#include "grader.h"
#include <algorithm>

int main()
{
    constexpr int kBlack = 64;
    constexpr int kFrames = 8;

    long wrong = 0;
    {
        grade::Grader grader;
        grader.add<grade::BlackLevelStage>(kBlack)
            .add<grade::ToneStage>()
            .add<grade::MeteringStage>();
        grader.compile();

        std::vector<std::uint16_t> raw(grade::kPixels);
        std::vector<int> graded;
        int gain = 1 + 4096 / 16;
        for (int f = 0; f < kFrames; ++f) {
            for (int i = 0; i < grade::kPixels; ++i)
                raw[i] = static_cast<std::uint16_t>((i * 7 + f * 500) % (300 + 450 * f) + 32);
            grader.process(raw, graded);

            unsigned long long luma = 0;
            for (int i = 0; i < grade::kPixels; ++i) {
                const int linear = std::max(static_cast<int>(raw[i]) - kBlack, 0);
                luma += linear;
                if (graded[i] != linear * gain) ++wrong;
            }
            gain = 1 + 4096 / (static_cast<int>(luma / grade::kPixels) + 16);
        }
    }
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
