// shading: corrects camera frames with a pipeline that is described at start
#include "stages.cuh"

#include <cmath>
#include <cstdio>

namespace {

constexpr int kPixels = 320 * 240;
constexpr int kFrames = 10;

float pixel(int frame, int i) { return static_cast<float>((i * 7 + frame * 31) % 251); }

struct Camera {
    std::shared_ptr<float> in = flow::pinned<float>(kPixels);
    std::shared_ptr<float> out = flow::pinned<float>(kPixels);

    void expose(int frame)
    {
        for (int i = 0; i < kPixels; ++i) {
            in.get()[i] = pixel(frame, i);
            out.get()[i] = -1.0f;
        }
    }

    long compare(int frame) const
    {
        using shading::curve_at;
        long bad = 0;
        for (int i = 0; i < kPixels; ++i) {
            const float p = pixel(frame, i), k = i % 16;
            const float sum = p * curve_at(0, k) + p * curve_at(1, k) + p * curve_at(2, k);
            const float want = 0.25f * sum * curve_at(3, k);
            bad += !(std::fabs(want - out.get()[i]) < 1e-2f);
        }
        return bad;
    }
};

flow::Compiled describe(const Camera &cam)
{
    const auto raw = flow::device<float>(kPixels);
    const auto red = flow::device<float>(kPixels);
    const auto green = flow::device<float>(kPixels);
    const auto blue = flow::device<float>(kPixels);
    const auto luma = flow::device<float>(kPixels);
    const auto flat = flow::device<float>(kPixels);

    return flow::Builder()
        .upload(raw, cam.in, kPixels)
        .parallel(shading::curve(0, raw, red, kPixels),
                  shading::curve(1, raw, green, kPixels),
                  shading::curve(2, raw, blue, kPixels))
        .then(shading::blend(red, green, blue, luma, kPixels, 0.25f))
        .then(shading::curve(3, luma, flat, kPixels))
        .download(cam.out, flat, kPixels)
        .compile();
}

} // namespace

int main()
{
    try {
        Camera cam;
        const auto stream = flow::lane();
        const auto run = describe(cam);

        long bad = 0;
        for (int f = 0; f < kFrames; ++f) {
            cam.expose(f);
            run(stream.get());
            flow::ok(cudaStreamSynchronize(stream.get()));
            bad += cam.compare(f);
        }

        if (bad)
            std::printf("WRONG %ld\n", bad);
        else
            std::puts("DONE");
    } catch (const flow::Error &e) {
        std::printf("ERROR %s\n", e.what());
    }
    return 0;
}
