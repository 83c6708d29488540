#include "cuda_util.h"
#include "seed_filter.h"
#include <utility>

namespace seq {
namespace {

__device__ unsigned long long now_ns()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Builds the seed index for `index_ns`, then counts the marker bases.
__global__ void filter_kernel(const std::uint8_t* bases, std::size_t n, unsigned* hits,
                              unsigned long long index_ns)
{
    const unsigned long long t0 = now_ns();
    while (now_ns() - t0 < index_ns) {
    }
    unsigned mine = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
        mine += bases[i] == 3;
    if (mine) atomicAdd(hits, mine);
}

}  // namespace

ReadBatch::ReadBatch(std::size_t n) : size(n)
{
    ok(cudaMallocHost(reinterpret_cast<void**>(&bases), n));
}

ReadBatch::~ReadBatch()
{
    if (bases) cudaFreeHost(bases);
}

ReadBatch::ReadBatch(ReadBatch&& o) noexcept
    : bases(std::exchange(o.bases, nullptr)), size(std::exchange(o.size, 0))
{
}

SeedFilter::SeedFilter(DeviceBlockPool& pool, int lanes, int max_batches)
    : pool_(pool), lanes_(lanes), max_batches_(max_batches)
{
    for (auto& s : lanes_) ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    ok(cudaMalloc(reinterpret_cast<void**>(&device_hits_), max_batches * sizeof(unsigned)));
    ok(cudaMallocHost(reinterpret_cast<void**>(&host_hits_), max_batches * sizeof(unsigned)));
    ok(cudaMemset(device_hits_, 0, max_batches * sizeof(unsigned)));
    filter_kernel<<<1, 32>>>(nullptr, 0, device_hits_, 0);
    ok(cudaGetLastError());
    ok(cudaDeviceSynchronize());
}

SeedFilter::~SeedFilter()
{
    for (auto s : lanes_) {
        cudaStreamSynchronize(s);
        cudaStreamDestroy(s);
    }
    cudaFree(device_hits_);
    cudaFreeHost(host_hits_);
}

void SeedFilter::submit(const ReadBatch& batch)
{
    constexpr unsigned long long kIndexNs = 60'000'000ull;
    const int id = next_++;
    cudaStream_t lane = lanes_[id % lanes_.size()];
    BlockRef block = pool_.acquire(lane);

    ok(cudaMemcpyAsync(block->data, batch.bases, batch.size, cudaMemcpyHostToDevice, lane));
    filter_kernel<<<32, 256, 0, lane>>>(block->data, batch.size, device_hits_ + id, kIndexNs);
    ok(cudaGetLastError());
    ok(cudaMemcpyAsync(host_hits_ + id, device_hits_ + id, sizeof(unsigned),
                       cudaMemcpyDeviceToHost, lane));
}

const unsigned* SeedFilter::collect()
{
    for (auto s : lanes_) ok(cudaStreamSynchronize(s));
    return host_hits_;
}

}  // namespace seq
