#include "flow.hpp"

namespace road {
namespace {

constexpr int kThreads = 256;

__global__ void debayer(float* luma, int n, int frame, long long ticks) {
    const long long start = clock64();
    while (clock64() - start < ticks) {
    }
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) luma[i] = float((i * 7 + frame * 13) % 251);
}

__global__ void sobel(const float* luma, float* edges, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float left = luma[i == 0 ? 0 : i - 1];
    const float right = luma[i + 1 == n ? i : i + 1];
    edges[i] = fabsf(right - left);
}

__global__ void laneScore(const float* edges, float* score, int n) {
    __shared__ float part[kThreads];
    float sum = 0.f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += edges[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *score = part[0];
}

int blocksFor(int n) { return (n + kThreads - 1) / kThreads; }

class Debayer final : public Step {
public:
    Debayer() : Step("debayer") {}
    void enqueue(const FrameSet& s, int f) override {
        debayer<<<blocksFor(s.pixels), kThreads, 0, stream_>>>(s.luma + std::size_t(f) * s.pixels, s.pixels, f,
                                                               50'000'000ll);
    }
};

class Edges final : public Step {
public:
    Edges() : Step("edges") {}
    void enqueue(const FrameSet& s, int f) override {
        const std::size_t at = std::size_t(f) * s.pixels;
        sobel<<<blocksFor(s.pixels), kThreads, 0, stream_>>>(s.luma + at, s.edges + at, s.pixels);
    }
};

class LaneScore final : public Step {
public:
    LaneScore() : Step("lane-score") {}
    void enqueue(const FrameSet& s, int f) override {
        laneScore<<<1, kThreads, 0, stream_>>>(s.edges + std::size_t(f) * s.pixels, s.score + f, s.pixels);
    }
};

}  // namespace

std::unique_ptr<Step> makeDebayer() { return std::make_unique<Debayer>(); }
std::unique_ptr<Step> makeEdges() { return std::make_unique<Edges>(); }
std::unique_ptr<Step> makeLaneScore() { return std::make_unique<LaneScore>(); }

}  // namespace road
