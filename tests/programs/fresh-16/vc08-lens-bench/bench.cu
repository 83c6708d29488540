#include "bench.cuh"

namespace optics {
namespace {

__host__ __device__ float bend(const Glass& glass, int ray) {
    float height = -1.0f + 2.0f * static_cast<float>(ray) / (kRays - 1);
    float slope = 0.0f;
    for (int surface = 0; surface < 4; ++surface) {
        const float sign = (surface & 1) ? -1.0f : 1.0f;
        slope -= sign * (glass.index - 1.0f) * glass.curvature[surface] * height;
        height += slope * glass.gap[surface];
    }
    return height;
}

__global__ void trace(const Glass* glass, float* film) {
    const int ray = blockIdx.x * blockDim.x + threadIdx.x;
    if (ray < kRays) film[ray] = bend(*glass, ray);
}

}  // namespace

Glass glassAt(int nanometres) {
    const float um = 0.001f * static_cast<float>(nanometres);
    return Glass{1.5046f + 0.00420f / (um * um) * 4.0f, {0.20f, -0.12f, 0.07f, 0.15f}, {0.3f, 0.1f, 0.4f, 2.5f}};
}

float spotOf(const Glass& glass, int ray) { return bend(glass, ray); }

Bench::Bench(std::size_t lines) : lines_(lines) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaMalloc(reinterpret_cast<void**>(&film_), sizeof(float) * kRays * lines_));
    check(cudaMemset(film_, 0, sizeof(float) * kRays * lines_));
    check(cudaDeviceSynchronize());
}

Bench::~Bench() {
    cudaStreamSynchronize(stream_);
    cudaFree(film_);
    cudaStreamDestroy(stream_);
}

void Bench::mount(int nanometres) {
    float* frame = film_ + tapes_.size() * kRays;
    tapes_[nanometres].record(stream_, [&](cudaStream_t s) {
        const Glass* glass = glass_.set(glassAt(nanometres), s);
        trace<<<kRays / 128, 128, 0, s>>>(glass, frame);
        check(cudaGetLastError());
    });
}

void Bench::expose(int nanometres) { tapes_.at(nanometres).play(stream_); }

std::vector<float> Bench::develop() {
    std::vector<float> spots(kRays * lines_);
    check(cudaStreamSynchronize(stream_));
    check(cudaMemcpy(spots.data(), film_, spots.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return spots;
}

}  // namespace optics
