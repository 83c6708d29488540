#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "gpu_timer.h"
#include "stencil.cuh"

namespace tune {

struct Candidate {
    std::string name;
    std::function<void(const Grid&, cudaStream_t)> launch;
};

struct Report {
    std::string name;
    double per_launch_ms;
};

class Queue {
public:
    Queue() { ok(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Queue() { ok(cudaStreamDestroy(s_)); }
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;
    cudaStream_t stream() const { return s_; }
    void drain() const { ok(cudaStreamSynchronize(s_)); }

private:
    cudaStream_t s_ = nullptr;
};

class Tuner {
public:
    explicit Tuner(int n) {
        grid_.n = n;
        ok(cudaMalloc(reinterpret_cast<void**>(&grid_.in), n * sizeof(float)));
        ok(cudaMalloc(reinterpret_cast<void**>(&grid_.out), n * sizeof(float)));
        host_.resize(n);
        for (int i = 0; i < n; ++i) host_[i] = static_cast<float>((i * 73) % 257);
        ok(cudaMemcpy(grid_.in, host_.data(), n * sizeof(float), cudaMemcpyHostToDevice));
        ok(cudaDeviceSynchronize());
    }
    ~Tuner() {
        ok(cudaFree(grid_.in));
        ok(cudaFree(grid_.out));
    }

    Report measure(const Candidate& c, int warmup, int reps) {
        for (int i = 0; i < warmup; ++i) c.launch(grid_, queue_.stream());
        queue_.drain();

        GpuTimer timer;
        timer.start();
        for (int i = 0; i < reps; ++i) c.launch(grid_, queue_.stream());
        const double ms = timer.stop();
        ok(cudaGetLastError());
        return {c.name, ms / reps};
    }

    double wall_ms(const Candidate& c, int reps) {
        queue_.drain();
        const auto t0 = std::chrono::steady_clock::now();
        for (int i = 0; i < reps; ++i) c.launch(grid_, queue_.stream());
        queue_.drain();
        const std::chrono::duration<double, std::milli> d = std::chrono::steady_clock::now() - t0;
        return d.count() / reps;
    }

    long mismatches() {
        queue_.drain();
        std::vector<float> got(grid_.n);
        ok(cudaMemcpy(got.data(), grid_.out, grid_.n * sizeof(float), cudaMemcpyDeviceToHost));
        long bad = 0;
        for (int i = 0; i < grid_.n; ++i) {
            const float l = i > 0 ? host_[i - 1] : host_[i];
            const float r = i + 1 < grid_.n ? host_[i + 1] : host_[i];
            if (std::fabs(got[i] - (0.25f * l + 0.5f * host_[i] + 0.25f * r)) > 1e-3f) ++bad;
        }
        return bad;
    }

private:
    Queue queue_;
    Grid grid_;
    std::vector<float> host_;
};

template <int... WIDTHS>
std::vector<Candidate> candidates() {
    return {Candidate{HeatVariant<WIDTHS>::label(), HeatVariant<WIDTHS>{}}...};
}

}  // namespace tune

int main() {
    using namespace tune;
    ok(cudaSetDevice(0));
    Tuner tuner(1 << 16);
    const auto all = candidates<64, 128, 256>();

    double worst = 1.0;
    for (const auto& c : all) {
        const Report r = tuner.measure(c, 2, 10);
        const double wall = tuner.wall_ms(c, 10);
        std::printf("%-8s %8.3f ms/step\n", r.name.c_str(), r.per_launch_ms);
        const double a = std::max(r.per_launch_ms, 1e-6), b = std::max(wall, 1e-6);
        worst = std::max(worst, std::max(a / b, b / a));
    }

    if (const long bad = tuner.mismatches()) {
        std::printf("WRONG %ld\n", bad);
        return 1;
    }
    if (worst > 1.5) {
        std::printf("SLOW %.2f\n", worst);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
