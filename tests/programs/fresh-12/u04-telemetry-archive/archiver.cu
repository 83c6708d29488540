#include "archiver.h"

#include <cstring>
#include <utility>

#include "cuda_error.h"

namespace {

__device__ unsigned long long nowNs()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// The entropy model of the flight code costs about eight milliseconds a segment.
__global__ void deltaEncode(const std::int32_t* raw, std::int32_t* delta, std::size_t n)
{
    const unsigned long long until = nowNs() + 8000000ull;
    while (nowNs() < until) {
    }
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        delta[i] = i == 0 ? raw[0] : raw[i] - raw[i - 1];
}

using Lease = std::shared_ptr<std::int32_t>;

void CUDART_CB endLease(void* arg) { delete static_cast<Lease*>(arg); }

}  // namespace

Archiver::Archiver(BlockPool& pool, int maxSegments) : pool_(pool)
{
    const std::size_t bytes = pool_.samples() * sizeof(std::int32_t);
    orThrow(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    orThrow(cudaMalloc(&raw_, bytes));
    orThrow(cudaMalloc(&delta_, bytes));
    orThrow(cudaMallocHost(&archive_, bytes * maxSegments));
}

Archiver::~Archiver()
{
    cudaStreamSynchronize(stream_);
    cudaFree(raw_);
    cudaFree(delta_);
    cudaFreeHost(archive_);
    cudaStreamDestroy(stream_);
}

void Archiver::append(const std::int32_t* samples)
{
    const std::size_t n = pool_.samples();
    const std::size_t bytes = n * sizeof(std::int32_t);

    Lease block = pool_.borrow();
    std::memcpy(block.get(), samples, bytes);
    orThrow(cudaMemcpyAsync(raw_, block.get(), bytes, cudaMemcpyHostToDevice, stream_));
    orThrow(cudaLaunchHostFunc(stream_, endLease, new Lease(std::move(block))));

    deltaEncode<<<32, 256, 0, stream_>>>(raw_, delta_, n);
    orThrow(cudaGetLastError());
    orThrow(cudaMemcpyAsync(archive_ + n * segments_, delta_, bytes, cudaMemcpyDeviceToHost, stream_));
    ++segments_;
}

const std::int32_t* Archiver::close()
{
    orThrow(cudaStreamSynchronize(stream_));
    return archive_;
}
