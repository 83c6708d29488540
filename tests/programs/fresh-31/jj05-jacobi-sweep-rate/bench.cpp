// Mean time of a Jacobi sweep in steady state.
#include "jacobi.h"
#include "timer.h"
#include <algorithm>
#include <chrono>

using solver::Value;

class SweepBench {
public:
    SweepBench(solver::Jacobi& s, int warm, int laps)
        : solver_(s), timer_(s.queue()), warm_(warm), laps_(laps) {}

    void run() {
        for (int i = 0; i < warm_; ++i) solver_.sweep();
        solver_.finish();
        auto t0 = std::chrono::steady_clock::now();
        for (int i = 0; i < laps_; ++i) {
            timer_.start();
            solver_.sweep();
            timer_.stop();
            solver_.finish();
            timer_.collect();
        }
        auto t1 = std::chrono::steady_clock::now();
        wall_ = std::chrono::duration<double, std::milli>(t1 - t0).count() / laps_;
    }

    double reported() const { return timer_.mean(); }
    double wall() const { return wall_; }

private:
    solver::Jacobi& solver_;
    gpu::Timer timer_;
    int warm_, laps_;
    double wall_ = 0;
};

static void host_sweep(std::vector<Value>& u, const std::vector<Value>& f, int nx, int ny) {
    std::vector<Value> o(u.size());
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            Value n = y > 0 ? u[(y - 1) * nx + x] : 0;
            Value s = y + 1 < ny ? u[(y + 1) * nx + x] : 0;
            Value w = x > 0 ? u[y * nx + x - 1] : 0;
            Value e = x + 1 < nx ? u[y * nx + x + 1] : 0;
            o[y * nx + x] = solver::relax(n, s, e, w, f[y * nx + x]);
        }
    u.swap(o);
}

int main() {
    constexpr int nx = 256, ny = 256, warm = 2, laps = 10;
    std::vector<Value> u(nx * ny), f(nx * ny);
    for (int i = 0; i < nx * ny; ++i) {
        u[i] = (i * 7919ll) % 100003;
        f[i] = (i * 104729ll) % 1009;
    }
    solver::Jacobi jacobi(nx, ny);
    jacobi.set(u, f);
    SweepBench bench(jacobi, warm, laps);
    bench.run();

    for (int i = 0; i < warm + laps; ++i) host_sweep(u, f, nx, ny);
    std::vector<Value> got = jacobi.solution();
    int wrong = 0;
    for (int i = 0; i < nx * ny; ++i) wrong += got[i] != u[i];
    std::fprintf(stderr, "sweep %.3f ms (wall %.3f ms)\n", bench.reported(), bench.wall());

    double ratio = std::max(bench.wall() / bench.reported(), bench.reported() / bench.wall());
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return wrong || ratio > 1.5;
}
