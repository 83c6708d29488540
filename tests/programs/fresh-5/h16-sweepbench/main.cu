#include "options.hpp"
#include "sweep.cuh"

#include <algorithm>
#include <chrono>
#include <memory>

namespace {

using namespace sweep;

__global__ void relax(unsigned* row, int n, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] = row[i] + 3u;
    do {
        __nanosleep(500);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

// Device time drifting from the wall clock by more than half counts as a mismatch.
double disagreement(double a, double b) { return std::max(a, b) / std::min(a, b); }

struct WallClock {
    void start()
    {
        chk(cudaDeviceSynchronize());
        begin = std::chrono::steady_clock::now();
    }
    double stop()
    {
        chk(cudaDeviceSynchronize());
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }
    std::chrono::steady_clock::time_point begin;
};

}  // namespace

int main()
{
    const Options options = parse("rows=3;width=8192;warmup=2;repeats=10;base_ms=2.5;mode=staggered");
    const int rows = options.get("rows", 1);
    const int width = options.get("width", 1024);
    const int warmup = options.get("warmup", 1);
    const int repeats = options.get("repeats", 4);
    const double base_ms = options.get("base_ms", 1.0);
    const bool staggered = options.get<std::string>("mode", "flat") == "staggered";

    unsigned* raw = nullptr;
    chk(cudaMalloc(reinterpret_cast<void**>(&raw), sizeof(unsigned) * rows * width));
    const std::shared_ptr<unsigned> grid(raw, [](unsigned* p) { cudaFree(p); });
    chk(cudaMemset(raw, 0, sizeof(unsigned) * rows * width));

    Team team(rows);
    const auto body = [&] {
        for (int r = 0; r < rows; ++r) {
            const double ms = staggered ? base_ms * (rows - r) : base_ms;
            relax<<<1, 256, 0, team.members[r]>>>(grid.get() + r * width, width, static_cast<unsigned long long>(ms * 1e6));
            chk(cudaGetLastError());
        }
    };

    const double device_ms = Bench<DeviceClock>(warmup, repeats).mean_ms(body);
    const double wall_ms = Bench<WallClock>(warmup, repeats).mean_ms(body);
    std::printf("sweep: device %.3f ms, wall %.3f ms\n", device_ms, wall_ms);

    std::vector<unsigned> host(static_cast<std::size_t>(rows) * width);
    chk(cudaMemcpy(host.data(), grid.get(), host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    const unsigned expected = 3u * 2u * static_cast<unsigned>(warmup + repeats);
    const auto wrong = std::count_if(host.begin(), host.end(), [expected](unsigned v) { return v != expected; });

    if (wrong) {
        std::printf("WRONG %lld\n", static_cast<long long>(wrong));
        return 1;
    }
    if (const double ratio = disagreement(device_ms, wall_ms); ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
