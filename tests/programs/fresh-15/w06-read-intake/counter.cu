#include "counter.cuh"

namespace reads {
namespace {

__device__ void alignSeeds(unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void countWords(const std::uint8_t* bases, int n, unsigned* row, unsigned long long cost) {
    __shared__ unsigned local[kWords];
    for (int i = threadIdx.x; i < kWords; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + 2 < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[bases[i] * 16 + bases[i + 1] * 4 + bases[i + 2]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < kWords; i += blockDim.x) atomicAdd(&row[i], local[i]);
    alignSeeds(cost);
}

}  // namespace

KmerCounter::KmerCounter(int batches, std::size_t batchBytes) : batches_(batches) {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    require(cudaMalloc(&bases_, batchBytes));
    require(cudaMalloc(&table_, sizeof(unsigned) * kWords * batches));
    require(cudaMemsetAsync(table_, 0, sizeof(unsigned) * kWords * batches, stream_));
}

KmerCounter::~KmerCounter() {
    cudaStreamDestroy(stream_);
    cudaFree(table_);
    cudaFree(bases_);
}

void CUDART_CB KmerCounter::uploaded(void* p) {
    std::unique_ptr<Staging::Lease> lease(static_cast<Staging::Lease*>(p));
}

void KmerCounter::push(Staging::Lease batch) {
    const int n = static_cast<int>(batch->used);
    auto held = std::make_unique<Staging::Lease>(std::move(batch));
    require(cudaMemcpyAsync(bases_, (*held)->bases, (*held)->used, cudaMemcpyHostToDevice, stream_));
    require(cudaLaunchHostFunc(stream_, &KmerCounter::uploaded, held.release()));
    countWords<<<32, 128, 0, stream_>>>(bases_, n, table_ + std::size_t(next_) * kWords, 40'000'000ull);
    require(cudaGetLastError());
    ++next_;
}

std::vector<unsigned> KmerCounter::table() {
    std::vector<unsigned> host(std::size_t(kWords) * batches_);
    require(cudaMemcpyAsync(host.data(), table_, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost, stream_));
    require(cudaStreamSynchronize(stream_));
    return host;
}

}  // namespace reads
