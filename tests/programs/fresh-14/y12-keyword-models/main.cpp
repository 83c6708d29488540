#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>
#include "loader.h"
#include "model.h"
namespace {
int run() {
    constexpr int width = 2048, keywords = 5;
    std::vector<std::vector<float>> files(keywords, std::vector<float>(width));
    for (int k = 0; k < keywords; ++k)
        for (int i = 0; i < width; ++i) files[k][i] = float((i + 3 * k) % 17) - 6.0f;
    std::vector<float> frame(width);
    for (int i = 0; i < width; ++i) frame[i] = std::sin(0.01f * i);

    kws::Loader loader(files);
    loader.permit(1);
    loader.awaitLoaded(1);

    // While one model is compiled the weights of the next are on their way.
    std::vector<std::unique_ptr<kws::Model>> models;
    for (int k = 0; k < keywords; ++k) {
        auto model = std::make_unique<kws::Model>(width, loader.weights(k));
        model->compile([&] {
            const size_t next = std::min(k + 2, keywords);
            loader.permit(next);
            loader.awaitLoaded(next);
        });
        models.push_back(std::move(model));
    }

    int wrong = 0;
    for (int k = 0; k < keywords; ++k) {
        const std::vector<float> got = models[k]->score(frame);
        for (int i = 0; i < width; ++i) {
            const float want = std::fmax(0.0f, frame[i] * files[k][i]) +
                               0.5f * (frame[i] + frame[(i + 1) % width]);
            if (!(std::fabs(got[i] - want) < 1e-4f)) ++wrong;
        }
    }
    return wrong;
}
}  // namespace

int main() {
    try {
        const int wrong = run();
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const kws::GpuError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
