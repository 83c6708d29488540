#include "operators.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace plasma {

void must(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

namespace {

constexpr int kBlock = 256;
constexpr int kGrid = kCells / kBlock;

__global__ void squareDensity(const float* n, float* rho)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    rho[i] = n[i] * n[i];
}

__global__ void binomial(const float* rho, float* out, const float* taps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int l = (i + kCells - 1) % kCells;
    const int r = (i + 1) % kCells;
    out[i] = taps[0] * rho[l] + taps[1] * rho[i] + taps[2] * rho[r];
}

__global__ void advance(float* n, const float* smooth, const float* drive)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    n[i] = 0.9f * n[i] + 0.1f * smooth[i] + kDrive * drive[i];
}

class Deposit : public Operator {
public:
    void enqueue(const Fields& f, cudaStream_t s) override
    {
        squareDensity<<<kGrid, kBlock, 0, s>>>(f.density, f.source);
        must(cudaGetLastError());
    }
};

class Smoother : public Operator {
public:
    explicit Smoother(const OperatorContext& ctx) : stream_(ctx.stream)
    {
        const size_t bytes = ctx.taps.size() * sizeof(float);
        must(cudaMalloc(&taps_, bytes));
        must(cudaMemcpyAsync(taps_, ctx.taps.data(), bytes, cudaMemcpyHostToDevice, stream_));
        must(cudaStreamSynchronize(stream_));
    }
    ~Smoother() override { cudaFree(taps_); }

    void enqueue(const Fields& f, cudaStream_t) override
    {
        binomial<<<kGrid, kBlock, 0, stream_>>>(f.source, f.smooth, taps_);
        must(cudaGetLastError());
    }

private:
    cudaStream_t stream_;
    float* taps_ = nullptr;
};

class Push : public Operator {
public:
    void enqueue(const Fields& f, cudaStream_t s) override
    {
        advance<<<kGrid, kBlock, 0, s>>>(f.density, f.smooth, f.drive);
        must(cudaGetLastError());
    }
};

}  // namespace

std::unique_ptr<Operator> makeOperator(const std::string& name, const OperatorContext& ctx)
{
    if (name == "deposit") return std::make_unique<Deposit>();
    if (name == "smooth") return std::make_unique<Smoother>(ctx);
    if (name == "push") return std::make_unique<Push>();
    throw std::invalid_argument(name);
}

}  // namespace plasma
