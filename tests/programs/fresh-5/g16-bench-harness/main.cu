// Compares two variants of a row scorer (search engine, second pass) with the harness.
#include <cmath>
#include <cstdio>

#include "bench.h"

namespace {

constexpr int kRows = 1 << 15;

__device__ void burn(unsigned us) {
    unsigned long long t, end;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    end = t + 1000ull * us;
    while (t < end) {
        __nanosleep(500);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    }
}

__global__ void score_wide(float* out, int n) {
    burn(12000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = float(i % 313);
}

__global__ void score_features(float* out, int n) {
    burn(4000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = float(i % 313) - 5.f;
}

__global__ void score_bias(float* out, int n) {
    burn(2000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] += 5.f;
}

int differences(const float* device) {
    std::vector<float> host(kRows);
    bench::check(cudaMemcpy(host.data(), device, kRows * sizeof(float), cudaMemcpyDeviceToHost));
    int off = 0;
    for (int i = 0; i < kRows; ++i)
        if (host[i] != float(i % 313)) ++off;
    return off;
}

}  // namespace

int main() {
    // model of both variants, milliseconds
    const double expected[] = {12.0, 6.0};
    try {
        float *wide = nullptr, *split = nullptr;
        bench::check(cudaMalloc(reinterpret_cast<void**>(&wide), kRows * sizeof(float)));
        bench::check(cudaMalloc(reinterpret_cast<void**>(&split), kRows * sizeof(float)));

        int wrong = 0;
        double worst = 1.0;
        {
            bench::Harness harness(bench::Options{});
            harness
                .add("wide", [=](cudaStream_t s) {
                    score_wide<<<16, 128, 0, s>>>(wide, kRows);
                    bench::check(cudaGetLastError());
                })
                .add("split", [=](cudaStream_t s) {
                    score_features<<<16, 128, 0, s>>>(split, kRows);
                    score_bias<<<16, 128, 0, s>>>(split, kRows);
                    bench::check(cudaGetLastError());
                });
            const auto results = harness.run();
            for (std::size_t k = 0; k < results.size(); ++k) {
                const double r = results[k].median_ms / expected[k];
                std::printf("%-6s %.2f ms\n", results[k].name.c_str(), results[k].median_ms);
                worst = std::fmax(worst, std::fmax(r, 1.0 / r));
            }
        }
        wrong += differences(wide) + differences(split);
        bench::check(cudaFree(wide));
        bench::check(cudaFree(split));

        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else if (worst > 1.5)
            std::printf("SLOW %.2f\n", worst);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const bench::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
