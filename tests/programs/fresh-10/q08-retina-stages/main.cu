#include "pipeline.h"

int main() {
    constexpr int kScans = 4;
    retina::Pipeline pipeline(kScans);
    pipeline.add<retina::Denoise>("denoise")
        .add<retina::Contrast>("contrast", "denoise")
        .add<retina::Vessels>("vessels", "contrast");
    pipeline.run();

    int wrong = 0;
    for (int scan = 0; scan < kScans; ++scan) {
        const std::vector<int> image = pipeline.download("vessels", scan);
        for (int i = 0; i < retina::kPixels; ++i) {
            const int boosted = 3 * (2 * (i % 127) + 10) + 1;
            if (image[i] != (boosted > 300 ? boosted : 0)) ++wrong;
        }
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
