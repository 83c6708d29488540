// Times one sweep of a heat stencil over an ensemble and checks the figure
// against the wall clock.
#include <chrono>
#include <vector>

#include "harness.h"

namespace {

constexpr int kCells = 1 << 16;
constexpr int kMembers = 8;

__global__ void sweep(const float* a, float* b, int n, unsigned long long nanos)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < nanos);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float l = i > 0 ? a[i - 1] : 0.f;
        float r = i + 1 < n ? a[i + 1] : 0.f;
        b[i] = 0.25f * l + 0.5f * a[i] + 0.25f * r;
    }
}

// One initial state and the members of the ensemble that are made of it.
struct Ensemble {
    float* initial = nullptr;
    std::vector<float*> members;
    unsigned turn = 0;

    Ensemble() : members(kMembers)
    {
        std::vector<float> h(kCells);
        for (int i = 0; i < kCells; ++i)
            h[i] = float(4 * (i % 64));
        bench::expect(cudaMalloc(&initial, kCells * sizeof(float)));
        bench::expect(cudaMemcpy(initial, h.data(), kCells * sizeof(float), cudaMemcpyHostToDevice));
        for (auto& m : members)
            bench::expect(cudaMalloc(&m, kCells * sizeof(float)));
    }
    ~Ensemble()
    {
        cudaFree(initial);
        for (auto m : members)
            cudaFree(m);
    }
    float* nextMember() { return members[turn++ % kMembers]; }
};

double wallMs(bench::Device& dev, const bench::Operation& op)
{
    dev.quiesce();
    const auto t0 = std::chrono::steady_clock::now();
    op(dev);
    dev.quiesce();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

long verify(const Ensemble& e)
{
    std::vector<float> a(kCells), b(kCells);
    bench::expect(cudaMemcpy(a.data(), e.initial, kCells * sizeof(float), cudaMemcpyDeviceToHost));
    long bad = 0;
    for (auto m : e.members) {
        bench::expect(cudaMemcpy(b.data(), m, kCells * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < kCells; ++i) {
            float l = i > 0 ? a[i - 1] : 0.f;
            float r = i + 1 < kCells ? a[i + 1] : 0.f;
            bad += b[i] != 0.25f * l + 0.5f * a[i] + 0.25f * r;
        }
    }
    return bad;
}

}  // namespace

int main()
{
    Ensemble ensemble;
    double reported = 0, honest = 0;
    {
        bench::Device dev;
        bench::Operation op = [&ensemble](bench::Device& d) {
            sweep<<<16, 256, 0, d.stream()>>>(ensemble.initial, ensemble.nextMember(), kCells,
                                            30'000'000ull);
            bench::expect(cudaGetLastError());
        };
        reported = bench::measure(dev, op, 7).perCallMs;
        honest = wallMs(dev, op);
    }

    if (long bad = verify(ensemble)) {
        std::printf("WRONG %ld\n", bad);
        return 1;
    }
    const double ratio = reported > honest ? reported / honest : honest / (reported > 1e-6 ? reported : 1e-6);
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
