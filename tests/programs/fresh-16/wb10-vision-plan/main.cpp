#include <cstdio>

#include "plan.cuh"

int main() {
    using namespace vision;
    constexpr int kPixels = 1 << 14;
    const std::vector<HeadConfig> heads = {{2, 1, true}, {3, -7, true}, {9, 9, false}, {5, 40, true}};

    int wrong = 0;
    {
        Plan plan(kPixels, heads);
        for (int frame = 0; frame < 5; ++frame) {
            for (int i = 0; i < kPixels; ++i) plan.image()[i] = (i * 7 + frame * 1009) % 2039;
            plan.run();
            for (std::size_t h = 0; h < heads.size(); ++h) {
                if (!heads[h].enabled) continue;
                for (int i = 0; i < kPixels; ++i)
                    wrong += plan.output(int(h))[i] != head_value(heads[h], backbone_value(plan.image()[i]));
            }
        }
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
