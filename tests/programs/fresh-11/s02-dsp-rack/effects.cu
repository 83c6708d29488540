#include "effect.h"

#include <cstdio>
#include <cstdlib>

namespace rack {

void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

EffectRegistry& EffectRegistry::instance() {
    static EffectRegistry registry;
    return registry;
}

namespace {

constexpr int kThreads = 256;
constexpr long long kDriveNanos = 40ll * 1000 * 1000;

int gridFor(int frames) { return (frames + kThreads - 1) / kThreads; }

__device__ long long clockNanos() {
    long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)::"memory");
    return t;
}

// Oversampled waveshaper; the inner iterations are stood in for by their run time.
__global__ void driveKernel(float* x, int n, float gain) {
    const long long begin = clockNanos();
    while (clockNanos() - begin < kDriveNanos) {
    }
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= gain;
}

__global__ void limitKernel(float* x, int n, float ceiling) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = fminf(x[i], ceiling);
}

__global__ void trimKernel(float* x, int n, float amount) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= amount;
}

class Drive final : public Effect {
public:
    explicit Drive(float gain) : gain_(gain) {}
    const char* name() const override { return "drive"; }
    void process(const AudioBlock& b) override {
        driveKernel<<<gridFor(b.frames), kThreads, 0, b.stream>>>(b.samples, b.frames, gain_);
        check(cudaGetLastError());
    }

private:
    float gain_;
};

class Limiter final : public Effect {
public:
    explicit Limiter(float ceiling) : ceiling_(ceiling) {}
    const char* name() const override { return "limiter"; }
    void process(const AudioBlock& b) override {
        limitKernel<<<gridFor(b.frames), kThreads>>>(b.samples, b.frames, ceiling_);
        check(cudaGetLastError());
    }

private:
    float ceiling_;
};

class Trim final : public Effect {
public:
    explicit Trim(float amount) : amount_(amount) {}
    const char* name() const override { return "trim"; }
    void process(const AudioBlock& b) override {
        trimKernel<<<gridFor(b.frames), kThreads, 0, b.stream>>>(b.samples, b.frames, amount_);
        check(cudaGetLastError());
    }

private:
    float amount_;
};

}  // namespace

void registerBuiltinEffects() {
    auto& registry = EffectRegistry::instance();
    registry.add("drive", [](float a) { return std::make_unique<Drive>(a); });
    registry.add("limiter", [](float a) { return std::make_unique<Limiter>(a); });
    registry.add("trim", [](float a) { return std::make_unique<Trim>(a); });
}

}  // namespace rack
