#include "simulate.h"

#include <cub/device/device_reduce.cuh>

namespace mc {
namespace {

constexpr long long kBurnIn = 30'000'000;  // cycles

__global__ void lossKernel(Shard shard, const std::uint32_t* thresholds, const std::uint32_t* exposures,
                           unsigned long long* losses)
{
    const long long begin = clock64();
    while (clock64() - begin < kBurnIn) __threadfence_block();
    for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < shard.paths; path += gridDim.x * blockDim.x) {
        unsigned long long loss = 0;
        for (int o = 0; o < kObligors; ++o)
            if (draw(shard.seed, path, o) < thresholds[o]) loss += exposures[o];
        losses[path] = loss;
    }
}

template <class T>
T* allocate(std::size_t n, cudaStream_t stream)
{
    void* p = nullptr;
    gpu(cudaMallocAsync(&p, n * sizeof(T), stream));
    return static_cast<T*>(p);
}

}  // namespace

void simulate(const Shard& shard, const std::uint32_t* thresholds, const std::uint32_t* exposures,
              unsigned long long* total, cudaStream_t stream)
{
    auto* losses = allocate<unsigned long long>(shard.paths, stream);
    lossKernel<<<16, 256, 0, stream>>>(shard, thresholds, exposures, losses);
    gpu(cudaGetLastError());

    std::size_t bytes = 0;
    gpu(cub::DeviceReduce::Sum(nullptr, bytes, losses, total, shard.paths, stream));
    char* work = allocate<char>(bytes, stream);
    gpu(cub::DeviceReduce::Sum(work, bytes, losses, total, shard.paths, stream));
    gpu(cudaFreeAsync(work, stream));
    gpu(cudaFreeAsync(losses, stream));
}

}  // namespace mc
