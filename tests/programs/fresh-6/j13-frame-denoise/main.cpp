// Burst denoising: frames of one burst are uploaded, filtered and read back on a few lanes.
#include "framepool.h"
#include <chrono>

namespace {

struct Burst {
    int frames, pixels;
    std::vector<float> slab; // raw frames, then clean frames
    Burst(int f, int p) : frames(f), pixels(p), slab((std::size_t)2 * f * p)
    {
        for (int k = 0; k < frames; ++k)
            for (int i = 0; i < pixels; ++i)
                raw(k)[i] = (float)((i * 7 + k * 3) % 255);
    }
    float *raw(int f) { return slab.data() + (std::size_t)f * pixels; }
    float *clean(int f) { return slab.data() + (std::size_t)(frames + f) * pixels; }
};

void submit(LanePool &lanes, Burst &b, int f, int pixels)
{
    Lane &l = lanes[f];
    const std::size_t bytes = pixels * sizeof(float);
    DN_CHECK(cudaMemcpyAsync(l.in, b.raw(f), bytes, cudaMemcpyHostToDevice, l.stream));
    denoise(l, pixels);
    DN_CHECK(cudaMemcpyAsync(b.clean(f), l.out, bytes, cudaMemcpyDeviceToHost, l.stream));
}

double since(std::chrono::steady_clock::time_point t)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t).count();
}

} // namespace

int main()
{
    const int frames = 8, pixels = 1 << 18;
    Burst burst(frames, pixels);
    LanePool lanes(4, pixels);
    double single = 0.0, whole = 0.0;

    {
        FrameLock<float> lock(burst.slab);

        denoise(lanes[0], pixels);
        DN_CHECK(cudaDeviceSynchronize());

        auto t = std::chrono::steady_clock::now();
        submit(lanes, burst, 0, pixels);
        lanes.drain();
        single = since(t);

        t = std::chrono::steady_clock::now();
        for (int f = 0; f < frames; ++f)
            submit(lanes, burst, f, pixels);
        lanes.drain();
        whole = since(t);
    }

    long wrong = 0;
    for (int f = 0; f < frames; ++f)
        for (int i = 0; i < pixels; ++i)
            if (burst.clean(f)[i] != denoised(burst.raw(f)[i > 0 ? i - 1 : 0], burst.raw(f)[i]))
                ++wrong;

    const double ratio = whole / (single * frames / lanes.size());
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
