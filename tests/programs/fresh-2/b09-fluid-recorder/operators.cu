#include "lane.h"

namespace fluid {

__global__ void fluxKernel(const float* h, float* f, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f[i] = 0.25f * h[i] + 0.5f;
}

__global__ void advanceKernel(float* h, const float* f, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) h[i] += 0.125f * f[i];
}

__global__ void dyeKernel(float* dye, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dye[i] += 1.0f;
}

namespace {

constexpr int kBlock = 256;
int blocks(int n) { return (n + kBlock - 1) / kBlock; }

class Flux final : public Operator {
public:
    void apply(const Grid& g, Lane& main) override {
        fluxKernel<<<blocks(g.cells), kBlock, 0, main.get()>>>(g.height, g.flux, g.cells);
        FLUID_CHECK(cudaGetLastError());
    }
};

class Advance final : public Operator {
public:
    void apply(const Grid& g, Lane& main) override {
        advanceKernel<<<blocks(g.cells), kBlock, 0, main.get()>>>(g.height, g.flux, g.cells);
        FLUID_CHECK(cudaGetLastError());
    }
};

// The tracer does not touch the other fields and has a lane of its own.
class Dye final : public Operator {
public:
    ~Dye() override { side_.drain(); }
    void apply(const Grid& g, Lane&) override {
        dyeKernel<<<blocks(g.cells), kBlock, 0, side_.get()>>>(g.dye, g.cells);
        FLUID_CHECK(cudaGetLastError());
    }

private:
    Lane side_;
};

}  // namespace

std::unique_ptr<Operator> makeFlux() { return std::make_unique<Flux>(); }
std::unique_ptr<Operator> makeAdvance() { return std::make_unique<Advance>(); }
std::unique_ptr<Operator> makeDye() { return std::make_unique<Dye>(); }

}  // namespace fluid
