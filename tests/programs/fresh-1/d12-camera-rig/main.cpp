#include <chrono>
#include <memory>
#include <vector>

#include "denoiser.cuh"

using namespace frames;
using Clock = std::chrono::steady_clock;

namespace {
double ms_since(Clock::time_point t) {
    return std::chrono::duration<double, std::milli>(Clock::now() - t).count();
}
}  // namespace

int main() {
    EXPECT(cudaSetDevice(0));
    constexpr size_t pixels = 640 * 480;
    constexpr int cameras = 4, rounds = 4;

    std::vector<std::unique_ptr<Denoiser>> rig;
    for (int c = 0; c < cameras; ++c) {
        rig.push_back(std::make_unique<Denoiser>(pixels));
        for (size_t i = 0; i < pixels; ++i) rig[c]->input()[i] = float(4 * (i % 64) + 4 * c);
    }
    for (auto& d : rig) {
        d->process(0);
        d->finish();
    }

    auto begin = Clock::now();
    rig.front()->process(0);
    rig.front()->finish();
    const double one_frame = ms_since(begin);

    begin = Clock::now();
    for (int r = 0; r < rounds; ++r)
        for (auto& d : rig) d->process(r);
    for (auto& d : rig) d->finish();
    const double all_frames = ms_since(begin);

    int wrong = 0;
    for (int c = 0; c < cameras; ++c)
        for (size_t i = 0; i < pixels; ++i)
            if (rig[c]->output()[i] != float(3 * (i % 64) + 3 * c) + float(rounds - 1)) ++wrong;

    const double ratio = all_frames / (one_frame * rounds);
    std::printf("%d frames in %.1f ms\n", cameras * rounds, all_frames);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::puts("DONE");
    return 0;
}
