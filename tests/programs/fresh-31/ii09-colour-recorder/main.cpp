#include <cmath>
#include <cstdio>
#include <vector>

#include "renderer.h"

namespace {

std::vector<float> test_chart(int pixels) {
    std::vector<float> image(pixels);
    for (int i = 0; i < pixels; ++i) image[i] = static_cast<float>((i * 37) % 1024) / 1024.0f;
    return image;
}

int compare(const std::vector<float>& image, const grade::Renderer& renderer) {
    const std::vector<float> rendered = renderer.result();
    int wrong = 0;
    for (std::size_t i = 0; i < image.size(); ++i) {
        float value = image[i];
        for (const auto& stage : renderer.stages()) value = stage->apply(value);
        if (std::fabs(value - rendered[i]) > 0.02f) ++wrong;
    }
    return wrong;
}

}  // namespace

int main() {
    constexpr int kPixels = 1 << 16;
    grade::LookConfig look;
    grade::Renderer renderer(look, kPixels);
    const std::vector<float> image = test_chart(kPixels);

    renderer.load(image);
    renderer.preview();
    int wrong = compare(image, renderer);

    renderer.record();
    renderer.load(image);
    renderer.play(24);
    wrong += compare(image, renderer);

    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}
