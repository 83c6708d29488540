// Surround view rig: five cameras, one stream each. The self test compares the time of the whole
// rig with the time of one camera alone.
#include "camera.h"

#include <chrono>

namespace {

constexpr int kCameras = 5;
constexpr int kFrames = 4;
constexpr int kPixels = 1 << 16;
constexpr double kTolerance = 1.5;

double run(const std::vector<rig::Camera*>& cameras, int frames, const rig::ToneCurve& curve)
{
    const auto t0 = std::chrono::steady_clock::now();
    for (int f = 0; f < frames; ++f)
        for (rig::Camera* c : cameras)
            c->process(curve);
    for (rig::Camera* c : cameras)
        c->wait();
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - t0;
    return ms.count();
}

}  // namespace

int main()
{
    const rig::ToneCurve curve = rig::ToneCurve::make(40);
    std::vector<rig::CameraPtr> owned;
    std::vector<rig::Camera*> all;
    for (int id = 0; id < kCameras; ++id) {
        owned.push_back(std::make_unique<rig::Camera>(id, kPixels));
        all.push_back(owned.back().get());
    }

    run(all, 1, curve);
    const double alone = run({all.front()}, kFrames, curve);
    const double together = run(all, kFrames, curve);

    rig::require(cudaDeviceSynchronize());
    int wrong = 0;
    for (const auto& c : owned)
        wrong += c->verify(curve);

    const double ratio = together / alone;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > kTolerance)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
