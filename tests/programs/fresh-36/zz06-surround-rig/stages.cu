#include "stages.hpp"

namespace {

constexpr unsigned long long kDwell = 4'000'000;  // a heavy network stands behind each stage in production

template <class Op>
__global__ void perPixel(const float* in, float* out, int w, int n, Op op) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < kDwell);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = op(in, w, i);
}

template <class Op>
Image apply(const Image& in, cudaStream_t s, Op op) {
    Image out(in.width(), in.height());
    perPixel<<<8, 256, 0, s>>>(in.data(), out.data(), in.width(), in.count(), op);
    must(cudaGetLastError());
    return out;
}

struct VignetteOp {
    float strength;
    __host__ __device__ float operator()(const float* in, int w, int i) const {
        float x = static_cast<float>(i % w) / static_cast<float>(w) - 0.5f;
        return in[i] * (1.0f - strength * x * x);
    }
};

struct SmoothOp {
    float centre;
    __host__ __device__ float operator()(const float* in, int w, int i) const {
        int x = i % w;
        float l = in[x > 0 ? i - 1 : i], r = in[x + 1 < w ? i + 1 : i];
        return centre * in[i] + (1.0f - centre) * 0.5f * (l + r);
    }
};

struct BinariseOp {
    float level;
    __host__ __device__ float operator()(const float* in, int, int i) const { return in[i] > level ? 1.0f : 0.0f; }
};

}  // namespace

Image Vignette::operator()(const Image& in, cudaStream_t s) const { return apply(in, s, VignetteOp{strength}); }
Image Smooth::operator()(const Image& in, cudaStream_t s) const { return apply(in, s, SmoothOp{centre}); }
Image Binarise::operator()(const Image& in, cudaStream_t s) const { return apply(in, s, BinariseOp{level}); }

float Vignette::reference(const std::vector<float>& in, int w, int i) const { return VignetteOp{strength}(in.data(), w, i); }
float Smooth::reference(const std::vector<float>& in, int w, int i) const { return SmoothOp{centre}(in.data(), w, i); }
float Binarise::reference(const std::vector<float>& in, int w, int i) const { return BinariseOp{level}(in.data(), w, i); }

Image develop(const Recipe& recipe, Image img, cudaStream_t s) {
    for (const Stage& stage : recipe)
        img = std::visit([&](const auto& f) { return f(img, s); }, stage);
    return img;
}

std::vector<float> develop(const Recipe& recipe, std::vector<float> img, int w) {
    for (const Stage& stage : recipe) {
        std::vector<float> next(img.size());
        for (std::size_t i = 0; i < img.size(); ++i)
            next[i] = std::visit([&](const auto& f) { return f.reference(img, w, static_cast<int>(i)); }, stage);
        img.swap(next);
    }
    return img;
}
