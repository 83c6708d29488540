#include <cmath>
#include <cstdio>

#include "flow.hpp"

namespace {

road::FrameSet allocate(int frames, int pixels) {
    road::FrameSet s;
    s.frames = frames;
    s.pixels = pixels;
    const std::size_t n = std::size_t(frames) * pixels;
    road::ok(cudaMalloc(&s.luma, n * sizeof(float)));
    road::ok(cudaMalloc(&s.edges, n * sizeof(float)));
    road::ok(cudaMalloc(&s.score, frames * sizeof(float)));
    road::ok(cudaMemset(s.luma, 0, n * sizeof(float)));
    road::ok(cudaMemset(s.edges, 0, n * sizeof(float)));
    road::ok(cudaMemset(s.score, 0, frames * sizeof(float)));
    road::ok(cudaDeviceSynchronize());
    return s;
}

float scoreOnHost(int frame, int n) {
    double sum = 0;
    auto luma = [&](int i) { return double((i * 7 + frame * 13) % 251); };
    for (int i = 0; i < n; ++i)
        sum += std::fabs(luma(i + 1 == n ? i : i + 1) - luma(i == 0 ? 0 : i - 1));
    return float(sum);
}

int drive() {
    road::FrameSet set = allocate(8, 8192);
    road::Flow flow;
    flow.then(road::makeDebayer()).then(road::makeEdges()).then(road::makeLaneScore());
    flow.run(set);

    std::vector<float> score(set.frames);
    road::ok(cudaMemcpy(score.data(), set.score, set.frames * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int f = 0; f < set.frames; ++f) {
        const float want = scoreOnHost(f, set.pixels);
        if (std::fabs(score[f] - want) > 1e-3f * want) ++wrong;
    }
    cudaFree(set.luma);
    cudaFree(set.edges);
    cudaFree(set.score);
    return wrong;
}

}  // namespace

int main() {
    try {
        const int wrong = drive();
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const road::Fault& f) {
        std::printf("ERROR %s\n", f.name.c_str());
        return 1;
    }
}
