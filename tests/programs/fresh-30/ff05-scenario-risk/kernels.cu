#include "instruments.h"

namespace risk {
namespace {
constexpr long long kSmileCycles = 40'000'000;  // strikes and tenors of the volatility cube

__global__ void bootstrapKernel(Scenario scenario, Span<double> out)
{
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < out.size; i += gridDim.x * blockDim.x)
        out.data[i] = factor(scenario, i);
}

template <class Instrument>
__global__ void priceKernel(Instrument instrument, Span<const double> factors, long long cycles, double* value)
{
    const long long begin = clock64();
    while (clock64() - begin < cycles) __threadfence_block();
    *value = valueOf(instrument, [&](std::size_t i) { return factors.data[i]; });
}
}  // namespace

Curve CurveBuilder::bootstrap(const Scenario& scenario) const
{
    DeviceArray<double> factors(kGrid, stream_);
    bootstrapKernel<<<64, 256, 0, stream_>>>(scenario, factors.edit());
    ensure(cudaGetLastError());
    Event built;
    built.record(stream_);
    return {std::move(factors), std::move(built)};
}

void priceBond(const Bond& bond, Span<const double> factors, double* value, cudaStream_t stream)
{
    priceKernel<<<1, 1, 0, stream>>>(bond, factors, 0, value);
    ensure(cudaGetLastError());
}

void priceSwap(const Swap& swap, Span<const double> factors, double* value, cudaStream_t stream)
{
    priceKernel<<<1, 1, 0, stream>>>(swap, factors, 0, value);
    ensure(cudaGetLastError());
}

void priceCap(const Cap& cap, Span<const double> factors, double* value, cudaStream_t stream)
{
    priceKernel<<<1, 1, 0, stream>>>(cap, factors, kSmileCycles, value);
    ensure(cudaGetLastError());
}
}  // namespace risk
