#include "stencil.h"

#include <algorithm>
#include <utility>

namespace tune {
namespace {

struct RowMajor {
    static constexpr int kX = 64, kY = 4;
    static constexpr long long kRelaxCycles = 9000000;
};
struct Square {
    static constexpr int kX = 16, kY = 16;
    static constexpr long long kRelaxCycles = 14000000;
};
struct Tall {
    static constexpr int kX = 8, kY = 32;
    static constexpr long long kRelaxCycles = 22000000;
};

// Jacobi sweep, followed by the local relaxation that the block shape asks for.
template <typename Shape>
__global__ void sweepKernel(const float* current, float* next, int width, int height) {
    const long long begin = clock64();
    for (int y = 1 + blockIdx.y * Shape::kY + threadIdx.y; y < height - 1; y += gridDim.y * Shape::kY)
        for (int x = 1 + blockIdx.x * Shape::kX + threadIdx.x; x < width - 1; x += gridDim.x * Shape::kX) {
            const int i = y * width + x;
            next[i] = 0.25f * (current[i - 1] + current[i + 1] + current[i - width] + current[i + width]);
        }
    while (clock64() - begin < Shape::kRelaxCycles) {
    }
}

template <typename Shape>
Candidate make(std::string name) {
    return {std::move(name), [](Grid& grid, cudaStream_t stream) {
                const dim3 threads(Shape::kX, Shape::kY);
                sweepKernel<Shape><<<dim3(4, 8), threads, 0, stream>>>(grid.current, grid.next, grid.width, grid.height);
                TUNE_CALL(cudaGetLastError());
                std::swap(grid.current, grid.next);
            }};
}

}  // namespace

std::vector<Candidate> candidates() {
    return {make<RowMajor>("row-major"), make<Square>("square"), make<Tall>("tall")};
}

void reset(Grid& grid, cudaStream_t stream) {
    TUNE_CALL(cudaMemsetAsync(grid.current, 0, grid.bytes(), stream));
    TUNE_CALL(cudaMemsetAsync(grid.next, 0, grid.bytes(), stream));
}

float Tuner::measure(const Candidate& candidate, Grid& grid) {
    const cudaStream_t compute = session_.stream(Role::Compute);
    reset(grid, compute);
    for (int i = 0; i < warmup_; ++i) candidate.sweep(grid, compute);
    TUNE_CALL(cudaStreamSynchronize(compute));

    Stopwatch watch(session_);
    watch.start();
    for (int i = 0; i < sweeps_; ++i) candidate.sweep(grid, compute);
    const float total = watch.stop();
    TUNE_CALL(cudaStreamSynchronize(compute));
    return total / sweeps_;
}

std::vector<Score> Tuner::rank(const std::vector<Candidate>& list, Grid& grid) {
    std::vector<Score> scores;
    for (std::size_t i = 0; i < list.size(); ++i) scores.push_back({i, measure(list[i], grid)});
    std::stable_sort(scores.begin(), scores.end(), [](const Score& a, const Score& b) {
        return a.millisecondsPerSweep < b.millisecondsPerSweep;
    });
    return scores;
}

}  // namespace tune
