#include "upscaler.h"
#include <chrono>

using namespace sr;
using Clock = std::chrono::steady_clock;

namespace {

double seconds(Clock::time_point a, Clock::time_point b) { return std::chrono::duration<double>(b - a).count(); }

std::vector<std::future<int>> submitPanorama(Executor& ex, const Upscaler& up) {
    std::vector<std::future<int>> parts;
    for (int t = 0; t < up.tiles(); ++t)
        parts.push_back(ex.submit([&up, t](WorkerContext& ctx) {
            const int pixels = up.enqueue(t, ctx.stream());
            return pixels;
        }));
    return parts;
}

// Steady-state megapixels per second of a whole panorama.
double throughput(Executor& ex, const Upscaler& up) {
    long long pixels = 0;
    const auto begin = Clock::now();
    for (auto& part : submitPanorama(ex, up)) pixels += part.get();
    const auto end = Clock::now();
    return pixels / 1e6 / seconds(begin, end);
}

double audit(Executor& ex, const Upscaler& up) {
    const auto begin = Clock::now();
    for (auto& part : submitPanorama(ex, up)) part.wait();
    ex.flushAll();
    return up.pixels() / 1e6 / seconds(begin, Clock::now());
}

}  // namespace

int main() {
    Upscaler upscaler(24, TileShape{});
    double reported, honest;
    int wrong;
    {
        Executor executor(3);
        throughput(executor, upscaler);
        executor.flushAll();
        reported = throughput(executor, upscaler);
        executor.flushAll();
        honest = audit(executor, upscaler);
        wrong = upscaler.mismatches();
    }
    const double ratio = reported > honest ? reported / honest : honest / reported;
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}
