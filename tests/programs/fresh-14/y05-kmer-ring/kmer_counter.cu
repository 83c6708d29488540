#include "kmer_counter.h"

#include <utility>

namespace {

__device__ unsigned long long nowNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

// `budgetNs` stands for the alignment pass that the production kernel makes
// over every batch.
__global__ void countKmers(const std::uint8_t* bases, std::size_t n, unsigned* bins,
                           unsigned long long budgetNs) {
    __shared__ unsigned local[kBins];
    local[threadIdx.x] = 0;
    __syncthreads();
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i + 3 < n; i += stride) {
        const unsigned key = (bases[i] & 3u) << 6 | (bases[i + 1] & 3u) << 4 |
                             (bases[i + 2] & 3u) << 2 | (bases[i + 3] & 3u);
        atomicAdd(&local[key], 1u);
    }
    __syncthreads();
    if (local[threadIdx.x]) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
    const unsigned long long begin = nowNs();
    while (nowNs() - begin < budgetNs) {
    }
}

}  // namespace

KmerCounter::KmerCounter(std::size_t batchBases, int batches, Parser parser)
    : n_(batchBases), batches_(batches), parser_(std::move(parser)), ring_(2, batchBases) {
    gpu::check(cudaMalloc(&bases_, n_));
    gpu::check(cudaMalloc(&bins_, std::size_t(batches_) * kBins * sizeof(unsigned)));
    gpu::check(cudaMemset(bins_, 0, std::size_t(batches_) * kBins * sizeof(unsigned)));
    gpu::check(cudaDeviceSynchronize());
}

KmerCounter::~KmerCounter() {
    stream_.sync();
    cudaFree(bases_);
    cudaFree(bins_);
}

void KmerCounter::submit(int batch) {
    ReadRing::Slot& slot = ring_.next();
    parser_(batch, slot.bases, n_);
    gpu::check(cudaMemcpyAsync(bases_, slot.bases, n_, cudaMemcpyHostToDevice, stream_));
    slot.drained.mark();
    countKmers<<<16, kBins, 0, stream_>>>(bases_, n_, bins_ + std::size_t(batch) * kBins,
                                          80'000'000ull);
    gpu::check(cudaGetLastError());
}

std::vector<unsigned> KmerCounter::histograms() {
    stream_.sync();
    std::vector<unsigned> host(std::size_t(batches_) * kBins);
    gpu::check(cudaMemcpy(host.data(), bins_, host.size() * sizeof(unsigned),
                          cudaMemcpyDeviceToHost));
    return host;
}
