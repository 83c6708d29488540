#include "stage.h"

namespace ct {

__device__ void dwell(unsigned us) {
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b));
    while (b - a < us * 1000ull);
}

__global__ void normaliseKernel(const float* raw, float* out, float dark, int n) {
    dwell(20000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = raw[i] - dark;
}

__global__ void noiseKernel(const float* raw, float* noise, int n) {
    dwell(10000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        noise[i] = raw[i] + 0.5f * raw[(i + 1) % n];
}

__global__ void blendKernel(const float* normal, const float* noise, float* image, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        image[i] = normal[i] - 0.25f * noise[i];
}

class Normalise final : public Stage {
public:
    explicit Normalise(float dark) : dark_(dark) {}
    void enqueue(const Slices& s, cudaStream_t stream) override {
        normaliseKernel<<<8, 128, 0, stream>>>(s.raw, s.normal, dark_, s.n);
        CT_CHECK(cudaGetLastError());
    }

private:
    float dark_;
};

// Depends on the raw counts alone and runs beside the normalisation.
class NoiseEstimate final : public Stage {
public:
    NoiseEstimate() { CT_CHECK(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking)); }
    ~NoiseEstimate() override { CT_CHECK(cudaStreamDestroy(side_)); }
    void enqueue(const Slices& s, cudaStream_t) override {
        noiseKernel<<<8, 128, 0, side_>>>(s.raw, s.noise, s.n);
        CT_CHECK(cudaGetLastError());
        CT_CHECK(cudaStreamSynchronize(side_));
    }

private:
    cudaStream_t side_ = nullptr;
};

class Blend final : public Stage {
public:
    void enqueue(const Slices& s, cudaStream_t stream) override {
        blendKernel<<<8, 128, 0, stream>>>(s.normal, s.noise, s.image, s.n);
        CT_CHECK(cudaGetLastError());
    }
};

std::unique_ptr<Stage> makeNormalise(float dark) { return std::make_unique<Normalise>(dark); }
std::unique_ptr<Stage> makeNoiseEstimate() { return std::make_unique<NoiseEstimate>(); }
std::unique_ptr<Stage> makeBlend() { return std::make_unique<Blend>(); }

}  // namespace ct
