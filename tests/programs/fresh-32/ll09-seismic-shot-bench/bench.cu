#include <algorithm>
#include <chrono>
#include <vector>

#include "crew.h"
#include "propagate.cuh"

namespace seis {

struct Worker {
    cudaStream_t stream{};
    float* field = nullptr;
};

struct Report {
    double seconds = 0;
    std::vector<Span> spans;
    double energy = 0;
};

class ShotBench {
public:
    ShotBench(int workers, int shots) : workers_(workers), shots_(shots) {
        for (auto& w : workers_) {
            ok(cudaStreamCreateWithFlags(&w.stream, cudaStreamNonBlocking));
            ok(cudaMalloc(&w.field, kCells * sizeof(float)));
            ok(cudaMemset(w.field, 0, kCells * sizeof(float)));
        }
        ok(cudaMalloc(&spans_, shots * sizeof(Span)));
        ok(cudaDeviceSynchronize());
    }
    ~ShotBench() {
        cudaFree(spans_);
        for (auto& w : workers_) {
            cudaFree(w.field);
            cudaStreamDestroy(w.stream);
        }
    }

    Report run(int warmup) {
        Crew crew(int(workers_.size()));
        pass(crew, warmup);
        for (auto& w : workers_) {
            ok(cudaStreamSynchronize(w.stream));
            ok(cudaMemsetAsync(w.field, 0, kCells * sizeof(float), w.stream));
            ok(cudaStreamSynchronize(w.stream));
        }

        Report r;
        const auto t0 = std::chrono::steady_clock::now();
        pass(crew, shots_);
        const auto t1 = std::chrono::steady_clock::now();
        r.seconds = std::chrono::duration<double>(t1 - t0).count();
        collect(r);
        return r;
    }

private:
    void pass(Crew& crew, int shots) {
        std::vector<std::future<void>> pending;
        pending.reserve(shots);
        for (int id = 0; id < shots; ++id)
            pending.push_back(crew.submit([this, id](int who) {
                Worker& w = workers_[who];
                launch_shot(Shot{id, 10}, w.field, spans_ + id, w.stream);
            }));
        for (auto& f : pending) f.get();
    }

    void collect(Report& r) {
        r.spans.resize(shots_);
        std::vector<float> field(kCells);
        for (auto& w : workers_) {
            ok(cudaMemcpyAsync(field.data(), w.field, kCells * sizeof(float), cudaMemcpyDeviceToHost,
                               w.stream));
            ok(cudaStreamSynchronize(w.stream));
            for (float v : field) r.energy += v;
        }
        ok(cudaMemcpy(r.spans.data(), spans_, shots_ * sizeof(Span), cudaMemcpyDeviceToHost));
    }

    std::vector<Worker> workers_;
    int shots_;
    Span* spans_ = nullptr;
};

}  // namespace seis

int main() {
    constexpr int kShots = 24;
    seis::ShotBench bench(3, kShots);
    const seis::Report r = bench.run(6);

    const double want = double(seis::kCells) * 10.0 * (kShots * (kShots + 1) / 2);
    if (r.energy != want) {
        std::printf("WRONG 1\n");
        return 1;
    }
    unsigned long long first = ~0ull, last = 0;
    for (const auto& s : r.spans) {
        first = std::min(first, s.first);
        last = std::max(last, s.last);
    }
    const double busy = double(last - first) * 1e-9;
    std::printf("%.1f shots/s\n", kShots / r.seconds);
    const double ratio = std::max(busy / r.seconds, r.seconds / busy);
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
