#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "tuner.h"

namespace {

constexpr int kRows = 512;
constexpr int kCols = 1024;

// Work per row depends on the tile width; narrow tiles pay for more passes.
template <int Tile>
__global__ void row_norms(const float* m, float* out, int rows, int cols, int passes) {
    __shared__ float part[Tile];
    for (int p = 0; p < passes; ++p) {
        for (int row = blockIdx.x; row < rows; row += gridDim.x) {
            float acc = 0.f;
            for (int c = threadIdx.x; c < cols; c += Tile) acc += m[row * cols + c] * m[row * cols + c];
            part[threadIdx.x] = acc;
            __syncthreads();
            for (int w = Tile / 2; w; w >>= 1) {
                if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w];
                __syncthreads();
            }
            if (threadIdx.x == 0) out[row] = part[0];
            __syncthreads();
        }
    }
}

template <int Tile>
std::function<void(cudaStream_t)> variant(const float* m, float* out) {
    return [=](cudaStream_t s) { row_norms<Tile><<<16, Tile, 0, s>>>(m, out, kRows, kCols, 60); };
}

double wall_ms(const AutoTuner& tuner, int index, int repeats) {
    using clock = std::chrono::steady_clock;
    CHECK(cudaDeviceSynchronize());
    auto t0 = clock::now();
    for (int r = 0; r < repeats; ++r) tuner[index].launch(tuner.stream());
    CHECK(cudaStreamSynchronize(tuner.stream()));
    return std::chrono::duration<double, std::milli>(clock::now() - t0).count() / repeats;
}

}  // namespace

int main() {
    std::vector<float> host(kRows * kCols);
    for (int i = 0; i < kRows * kCols; ++i) host[i] = static_cast<float>(i % 4);

    float *matrix = nullptr, *norms = nullptr;
    CHECK(cudaMalloc(&matrix, host.size() * sizeof(float)));
    CHECK(cudaMalloc(&norms, kRows * sizeof(float)));
    CHECK(cudaMemcpy(matrix, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());

    int wrong = 0;
    double ratio = 1.0;
    {
        AutoTuner tuner;
        tuner.add("tile32", variant<32>(matrix, norms))
            .add("tile64", variant<64>(matrix, norms))
            .add("tile128", variant<128>(matrix, norms))
            .repeats(6);
        const Choice best = tuner.tune();
        CHECK(cudaGetLastError());

        const double wall = wall_ms(tuner, best.index, 6);
        ratio = std::max(wall / best.ms, best.ms / wall);

        std::vector<float> got(kRows);
        CHECK(cudaMemcpy(got.data(), norms, kRows * sizeof(float), cudaMemcpyDeviceToHost));
        const float want = kCols / 4 * (0 + 1 + 4 + 9);
        for (float v : got) wrong += v != want;
    }
    CHECK(cudaFree(matrix));
    CHECK(cudaFree(norms));

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
