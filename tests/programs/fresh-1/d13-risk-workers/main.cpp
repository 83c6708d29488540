#include <chrono>
#include <cmath>

#include "book.cuh"
#include "worker_pool.h"

using Clock = std::chrono::steady_clock;

namespace {

constexpr int kDesks = 4;
constexpr int kScenarios = 3;
constexpr int kPositions = 1 << 14;

double now_ms() {
    return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

double expected(int desk, double shock) {
    double t = 0;
    for (int i = 0; i < kPositions; ++i) t += (double(desk + 1) + double(i % 16)) * shock;
    return t;
}

}  // namespace

int main() {
    GPU(cudaSetDevice(0));
    std::vector<std::unique_ptr<risk::Book>> books;
    for (int d = 0; d < kDesks; ++d) books.push_back(std::make_unique<risk::Book>(kPositions, d));

    risk::revalue(*books[0], 0.0);
    const double t0 = now_ms();
    risk::revalue(*books[0], 0.0);
    const double single = now_ms() - t0;

    WorkerPool workers(kDesks);
    auto sweep = [&](double base) {
        std::vector<std::future<std::vector<double>>> pending;
        for (int d = 0; d < kDesks; ++d)
            pending.push_back(workers.submit([&book = *books[d], base] {
                GPU(cudaSetDevice(0));
                std::vector<double> losses;
                for (int s = 0; s < kScenarios; ++s) losses.push_back(risk::revalue(book, base + 0.25 * s));
                return losses;
            }));
        std::vector<std::vector<double>> all;
        for (auto& p : pending) all.push_back(p.get());
        return all;
    };

    sweep(0.0);
    const double t1 = now_ms();
    const auto losses = sweep(0.5);
    const double sweep_ms = now_ms() - t1;

    int wrong = 0;
    for (int d = 0; d < kDesks; ++d)
        for (int s = 0; s < kScenarios; ++s)
            if (std::fabs(losses[d][s] - expected(d, 0.5 + 0.25 * s)) > 1e-6) ++wrong;

    const double ratio = sweep_ms / (single * kScenarios);
    std::printf("%d valuations in %.1f ms\n", kDesks * kScenarios, sweep_ms);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::puts("DONE");
    return 0;
}
