#include "tuner.h"
#include <algorithm>
#include <memory>

namespace {

constexpr int kCells = 1 << 18;

// Stencil variant; Unroll decides how many cells a thread handles in a pass.
template <int Unroll>
__global__ void relax(const int* in, int* out, unsigned long long cost_ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < cost_ns);

    const int stride = gridDim.x * blockDim.x * Unroll;
    for (int base = (blockIdx.x * blockDim.x + threadIdx.x) * Unroll; base < kCells; base += stride) {
#pragma unroll
        for (int u = 0; u < Unroll; ++u) {
            const int i = base + u;
            if (i < kCells) out[i] = in[i == 0 ? 0 : i - 1] + 2 * in[i] + in[i == kCells - 1 ? i : i + 1];
        }
    }
}

struct Grid {
    int* in = nullptr;
    int* out = nullptr;
    Grid()
    {
        tune::req(cudaMalloc(reinterpret_cast<void**>(&in), kCells * sizeof(int)));
        tune::req(cudaMalloc(reinterpret_cast<void**>(&out), kCells * sizeof(int)));
    }
    ~Grid()
    {
        cudaFree(out);
        cudaFree(in);
    }
};

template <int Unroll>
tune::Candidate variant(const char* name, std::shared_ptr<Grid> grid, double model_ms)
{
    const auto ns = static_cast<unsigned long long>(model_ms * 1e6);
    return {name, model_ms, [grid, ns](cudaStream_t s) {
                relax<Unroll><<<32, 256, 0, s>>>(grid->in, grid->out, ns);
                tune::req(cudaGetLastError());
            }};
}

}  // namespace

int main()
{
    auto grid = std::make_shared<Grid>();
    std::vector<int> cells(kCells), result(kCells);
    for (int i = 0; i < kCells; ++i) cells[i] = (i * 17) % 509;
    tune::req(cudaMemcpy(grid->in, cells.data(), kCells * sizeof(int), cudaMemcpyHostToDevice));
    tune::req(cudaDeviceSynchronize());

    std::vector<tune::Measurement> table;
    {
        tune::Tuner tuner;
        tuner.add(variant<1>("relax/1", grid, 3.0))
            .add(variant<2>("relax/2", grid, 2.0))
            .add(variant<4>("relax/4", grid, 4.0));
        table = tuner.run();
    }

    double worst = 1.0;
    for (const auto& m : table) {
        std::printf("%-8s cold %.3f ms, steady %.3f ms\n", m.name.c_str(), m.cold_ms, m.steady_ms);
        worst = std::max({worst, m.steady_ms / m.model_ms, m.model_ms / m.steady_ms});
    }

    long wrong = table.front().name != "relax/2";
    tune::req(cudaMemcpy(result.data(), grid->out, kCells * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < kCells; ++i) {
        const int left = cells[i == 0 ? 0 : i - 1];
        const int right = cells[i == kCells - 1 ? i : i + 1];
        if (result[i] != left + 2 * cells[i] + right) ++wrong;
    }
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (worst > 1.5)
        std::printf("SLOW %.2f\n", worst);
    else
        std::printf("DONE\n");
    return 0;
}
