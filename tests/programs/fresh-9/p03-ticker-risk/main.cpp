#include "desk.h"
#include <algorithm>

namespace {

double off(double a, double b) {
    a = std::max(a, 1e-4);
    b = std::max(b, 1e-4);
    return std::max(a / b, b / a);
}

double tick_to_risk(desk::Revaluation& r, int ticks, std::uint32_t first) {
    using Clock = std::chrono::steady_clock;
    double sum = 0;
    for (int i = 0; i < ticks; ++i) {
        desk::gpu(cudaDeviceSynchronize());
        const auto t = Clock::now();
        r.enqueue(first + i);
        desk::gpu(cudaDeviceSynchronize());
        sum += std::chrono::duration<double, std::milli>(Clock::now() - t).count();
    }
    return sum / ticks;
}

}  // namespace

int main() {
    const desk::Book book;
    constexpr int warmup = 2, ticks = 10;

    desk::Revaluation risk(book);
    desk::Stopwatch watch;
    const desk::Latency shown = watch.steady_state(risk, warmup, ticks);

    int wrong = risk.total() != desk::Revaluation::expected(book, warmup + ticks);
    const double wall = tick_to_risk(risk, 5, 500);
    wrong += risk.total() != desk::Revaluation::expected(book, 504);

    const double ratio = std::max(off(shown.device_ms, wall), off(shown.host_ms, wall));
    std::fprintf(stderr, "per tick: device %.3f ms, host %.3f ms\n", shown.device_ms, shown.host_ms);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::puts("DONE");
    return wrong || ratio > 1.5 ? 1 : 0;
}
