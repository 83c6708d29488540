#include "bench.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

__device__ unsigned long long tick()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void stage(unsigned* cells, int n, unsigned long long ns)
{
    const auto begin = tick();
    for (int i = threadIdx.x; i < n; i += blockDim.x) cells[i] += 1u;
    while (tick() - begin < ns) __nanosleep(500);
}

constexpr int kCells = 4096;

using Cells = std::shared_ptr<unsigned>;

Cells make_cells()
{
    unsigned* p = nullptr;
    bench::check(cudaMalloc(reinterpret_cast<void**>(&p), kCells * sizeof(unsigned)));
    bench::check(cudaMemset(p, 0, kCells * sizeof(unsigned)));
    return {p, [](unsigned* q) { cudaFree(q); }};
}

bench::Lane::Work make_work(Cells cells, double ms)
{
    const auto ns = static_cast<unsigned long long>(ms * 1e6);
    return [cells = std::move(cells), ns](cudaStream_t s) {
        stage<<<1, 256, 0, s>>>(cells.get(), kCells, ns);
        bench::check(cudaGetLastError());
    };
}

int evaluate()
{
    const bench::Settings settings;
    std::vector<Cells> partitions;
    bench::Lanes lanes;
    for (const auto& [name, ms] : settings.stage_ms) {
        partitions.push_back(make_cells());
        lanes.emplace(name, std::make_unique<bench::Lane>(make_work(partitions.back(), ms)));
    }
    bench::check(cudaDeviceSynchronize());

    const double reported = bench::sweep_ms(settings, lanes);
    bench::check(cudaDeviceSynchronize());
    std::printf("sweep: %.3f ms\n", reported);

    const double reference = bench::wall_ms([&] {
        for (int i = 0; i < settings.iterations; ++i)
            for (auto& entry : lanes) entry.second->run();
        bench::check(cudaDeviceSynchronize());
    }) / settings.iterations;

    const unsigned expected = static_cast<unsigned>(settings.warmup + 2 * settings.iterations);
    long long wrong = 0;
    for (const auto& cells : partitions) {
        std::vector<unsigned> host(kCells);
        bench::check(cudaMemcpy(host.data(), cells.get(), kCells * sizeof(unsigned), cudaMemcpyDeviceToHost));
        wrong += std::count_if(host.begin(), host.end(), [expected](unsigned v) { return v != expected; });
    }
    if (wrong) return std::printf("WRONG %lld\n", wrong), 1;

    const double ratio = std::max(reference / reported, reported / reference);
    if (ratio > 1.5) return std::printf("SLOW %.2f\n", ratio), 1;
    return std::printf("DONE\n"), 0;
}

}  // namespace

int main()
{
    try {
        return evaluate();
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
