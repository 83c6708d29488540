#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace radio {

inline void cuda_must(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct AccumulatorTraits {
    using Bin = std::uint32_t;
    static constexpr int kBins = 1024;
    static constexpr int kThreads = 256;
    static constexpr int kBlocks = 16;
};

template <class Traits>
__global__ void integrate_kernel(const std::uint16_t* iq, int n, typename Traits::Bin* bins,
                                 unsigned long long dwell_ns)
{
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t1));
    } while (t1 - t0 < dwell_ns);

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[iq[i] % Traits::kBins], 1u);
}

// Integrates the samples of one dwell into a power histogram.
template <class Traits = AccumulatorTraits>
class SpectrumAccumulator {
public:
    using Bin = typename Traits::Bin;
    static constexpr std::size_t kBytes = Traits::kBins * sizeof(Bin);

    explicit SpectrumAccumulator(cudaStream_t stream) : stream_(stream)
    {
        cuda_must(cudaMalloc(reinterpret_cast<void**>(&bins_), kBytes));
        reset();
    }
    ~SpectrumAccumulator() { cudaFree(bins_); }
    SpectrumAccumulator(const SpectrumAccumulator&) = delete;
    SpectrumAccumulator& operator=(const SpectrumAccumulator&) = delete;

    void reset()
    {
        cuda_must(cudaMemset(bins_, 0, kBytes));
    }

    void integrate(const std::uint16_t* iq, int n, unsigned long long dwell_ns)
    {
        integrate_kernel<Traits><<<Traits::kBlocks, Traits::kThreads, 0, stream_>>>(iq, n, bins_, dwell_ns);
        cuda_must(cudaGetLastError());
    }

    void emit(Bin* row)
    {
        cuda_must(cudaMemcpyAsync(row, bins_, kBytes, cudaMemcpyDeviceToHost, stream_));
    }

private:
    cudaStream_t stream_;
    Bin* bins_ = nullptr;
};

}  // namespace radio
