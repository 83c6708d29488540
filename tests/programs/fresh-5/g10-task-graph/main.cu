// Seismic picks: three band outputs of a trace, combined into one characteristic function.
#include <cstdio>

#include "task_graph.h"

namespace {

constexpr int kSamples = 200000;
constexpr int kBands = 3;

__global__ void band(const float* trace, float* out, int n, int lag) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = trace[i] - (i >= lag ? trace[i - lag] : 0.f);
}

__global__ void combine(const float* a, const float* b, const float* c, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = a[i] + 2.f * b[i] - c[i];
}

float sample(int i, int shot) { return float((i * 13 + shot * 101) % 509); }

float model(int i, int shot) {
    const int lag[kBands] = {1, 4, 16};
    float b[kBands];
    for (int k = 0; k < kBands; ++k) b[k] = sample(i, shot) - (i >= lag[k] ? sample(i - lag[k], shot) : 0.f);
    return b[0] + 2.f * b[1] - b[2];
}

int run() {
    using flow::check;
    flow::Arena arena(1 << 20);
    float* trace = arena.get<float>(kSamples);
    float* picks = nullptr;
    float* bands[kBands] = {};

    float* host = nullptr;
    check(cudaMallocHost(reinterpret_cast<void**>(&host), 2 * kSamples * sizeof(float)));
    float* result = host + kSamples;

    int wrong = 0;
    {
        flow::TaskGraph graph(2);
        const auto load = graph.add("load", {}, [&](cudaStream_t s) {
            check(cudaMemcpyAsync(trace, host, kSamples * sizeof(float), cudaMemcpyHostToDevice, s));
        });
        std::vector<flow::NodeId> filtered;
        for (int k = 0; k < kBands; ++k)
            filtered.push_back(graph.add("band" + std::to_string(k), {load}, [&, k](cudaStream_t s) {
                bands[k] = arena.get<float>(kSamples);
                band<<<64, 256, 0, s>>>(trace, bands[k], kSamples, 1 << (2 * k));
                check(cudaGetLastError());
            }));
        const auto merge = graph.add("combine", filtered, [&](cudaStream_t s) {
            picks = arena.get<float>(kSamples);
            combine<<<64, 256, 0, s>>>(bands[0], bands[1], bands[2], picks, kSamples);
            check(cudaGetLastError());
        });
        graph.add("store", {merge}, [&](cudaStream_t s) {
            check(cudaMemcpyAsync(result, picks, kSamples * sizeof(float), cudaMemcpyDeviceToHost, s));
        });
        graph.bake();

        for (int shot = 0; shot < 4; ++shot) {
            for (int i = 0; i < kSamples; ++i) host[i] = sample(i, shot);
            graph.launch();
            graph.wait();
            for (int i = 0; i < kSamples; ++i)
                if (result[i] != model(i, shot)) ++wrong;
        }
    }
    std::printf("arena chunks: %zu\n", arena.chunks());
    check(cudaFreeHost(host));
    return wrong;
}

}  // namespace

int main() {
    try {
        const int wrong = run();
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const flow::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
