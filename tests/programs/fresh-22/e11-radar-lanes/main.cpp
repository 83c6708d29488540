#include "bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace radar;

static int fail(cudaError_t rc)
{
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    return 2;
}

static int verify(const std::vector<int>& frame, const ModeSettings& m, const std::vector<int>& map)
{
    int wrong = 0;
    std::vector<int> w(frame.size());
    for (std::size_t i = 0; i < frame.size(); ++i) {
        int s = static_cast<int>(i) % m.samples;
        w[i] = frame[i] * (1 + std::min(s, m.samples - 1 - s) % 16);
    }
    for (int s = 0; s < m.samples; ++s) {
        int slow = 0, fast = 0;
        for (int c = 0; c < m.chirps; ++c) {
            int sum = 0;
            for (int tap = 0; tap < 8; ++tap) sum += w[c * m.samples + (s + tap) % m.samples] * (tap % 2 ? -1 : 2);
            slow += sum;
            fast += (c % 2 ? -1 : 1) * sum;
        }
        if (map[s] != slow) ++wrong;
        if (map[m.samples + s] != fast) ++wrong;
    }
    return wrong;
}

// Wall time per frame, from an idle device to an idle device.
static double wall(FrontEnd& front, int frames)
{
    cudaDeviceSynchronize();
    auto begin = std::chrono::steady_clock::now();
    for (int f = 0; f < frames; ++f) front.lane().process();
    cudaDeviceSynchronize();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count() / frames;
}

int main()
{
    constexpr int kFrames = 8;
    FrontEnd front({64, 512, 15'000'000}, {128, 1024, 30'000'000});
    if (front.status() != cudaSuccess) return fail(front.status());

    Bench bench(front);
    int wrong = 0;
    double worst = 1.0;
    for (Mode mode : {Mode::Search, Mode::Track}) {
        front.select(mode);
        const ModeSettings& m = front.lane().settings();
        std::vector<int> frame(static_cast<std::size_t>(m.chirps) * m.samples);
        for (std::size_t i = 0; i < frame.size(); ++i) frame[i] = static_cast<int>(i * 2654435761u % 97) - 48;
        if (cudaError_t rc = front.lane().load(frame); rc != cudaSuccess) return fail(rc);

        Report report = bench.measure(mode == Mode::Search ? "search" : "track", kFrames,
                                      [](FrontEnd& f) { return f.lane().process(); });
        if (report.status != cudaSuccess) return fail(report.status);

        std::vector<int> map;
        if (cudaError_t rc = front.lane().read(map); rc != cudaSuccess) return fail(rc);
        wrong += verify(frame, m, map);

        double honest = wall(front, kFrames);
        worst = std::max({worst, honest / report.msPerFrame, report.msPerFrame / honest});
        std::printf("%s: %.3f ms per frame\n", report.name.c_str(), report.msPerFrame);
    }

    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (worst > 1.5) std::printf("SLOW %.2f\n", worst);
    else std::printf("DONE\n");
    return 0;
}
