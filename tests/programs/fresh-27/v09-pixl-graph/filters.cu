#include <cmath>

#include "pixl.h"

namespace pixl {
namespace {

constexpr int kTile = 16;

__global__ void convolve(const float* src, float* dst, int width, int height, const float* taps,
                         int radius, int dx, int dy) {
    const int x = blockIdx.x * kTile + threadIdx.x;
    const int y = blockIdx.y * kTile + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int k = -radius; k <= radius; ++k) {
        const int sx = min(max(x + k * dx, 0), width - 1);
        const int sy = min(max(y + k * dy, 0), height - 1);
        sum += taps[k + radius] * src[sy * width + sx];
    }
    dst[y * width + x] = sum;
}

__global__ void scale(const float* src, float* dst, int count, float gain, float offset) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) dst[i] = gain * src[i] + offset;
}

class Gaussian final : public Filter {
public:
    Gaussian(Extent extent, float sigma, int radius)
        : extent_(extent), sigma_(sigma), radius_(radius) {
        check(cudaMalloc(&taps_, taps() * sizeof(float)));
        check(cudaMalloc(&rows_, extent_.pixels() * sizeof(float)));
    }
    ~Gaussian() override {
        cudaFree(taps_);
        cudaFree(rows_);
    }

    void enqueue(Staging& staging, cudaStream_t stream, const float* src, float* dst) override {
        float* table = staging.take<float>(taps());
        gaussianTaps(sigma_, radius_, table);
        check(cudaMemcpyAsync(taps_, table, taps() * sizeof(float), cudaMemcpyHostToDevice, stream));

        const dim3 block(kTile, kTile);
        const dim3 grid((extent_.width + kTile - 1) / kTile, (extent_.height + kTile - 1) / kTile);
        convolve<<<grid, block, 0, stream>>>(src, rows_, extent_.width, extent_.height, taps_,
                                             radius_, 1, 0);
        convolve<<<grid, block, 0, stream>>>(rows_, dst, extent_.width, extent_.height, taps_,
                                             radius_, 0, 1);
        check(cudaGetLastError());
    }

private:
    size_t taps() const { return 2 * static_cast<size_t>(radius_) + 1; }

    Extent extent_;
    float sigma_;
    int radius_;
    float* taps_ = nullptr;
    float* rows_ = nullptr;
};

class Gain final : public Filter {
public:
    Gain(Extent extent, float gain, float offset)
        : count_(static_cast<int>(extent.pixels())), gain_(gain), offset_(offset) {}

    void enqueue(Staging&, cudaStream_t stream, const float* src, float* dst) override {
        scale<<<(count_ + 255) / 256, 256, 0, stream>>>(src, dst, count_, gain_, offset_);
        check(cudaGetLastError());
    }

private:
    int count_;
    float gain_;
    float offset_;
};

}  // namespace

void gaussianTaps(float sigma, int radius, float* taps) {
    float sum = 0.0f;
    for (int k = -radius; k <= radius; ++k) {
        taps[k + radius] = std::exp(-0.5f * k * k / (sigma * sigma));
        sum += taps[k + radius];
    }
    for (int k = 0; k <= 2 * radius; ++k) taps[k] /= sum;
}

std::unique_ptr<Filter> makeGaussian(Extent extent, float sigma, int radius) {
    return std::make_unique<Gaussian>(extent, sigma, radius);
}

std::unique_ptr<Filter> makeGain(Extent extent, float gain, float offset) {
    return std::make_unique<Gain>(extent, gain, offset);
}

}  // namespace pixl
