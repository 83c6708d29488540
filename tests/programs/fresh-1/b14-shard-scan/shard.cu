#include "shard.hpp"

namespace scan {
namespace {

__host__ __device__ std::uint32_t word_of(int worker, int shard, std::uint32_t i)
{
    return (i * 40503u + static_cast<std::uint32_t>(worker * 64 + shard)) & 0xffffu;
}

__global__ void match(const std::uint32_t *words, std::size_t n, unsigned long long *hits, std::uint64_t ns)
{
    std::uint64_t t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    unsigned long long acc = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        acc += words[i] % 1009u;
    atomicAdd(hits, acc);
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

}  // namespace

ShardWorker::ShardWorker(int id, cudaMemPool_t pool)
    : id_(id), pool_(pool), input_(kShardWords), hits_(kShardsPerThread)
{
}

void ShardWorker::load(int shard)
{
    std::uint32_t i = 0;
    for (std::uint32_t &w : input_.view())
        w = word_of(id_, shard, i++);
}

void ShardWorker::process(int shard)
{
    const cudaStream_t queue = cudaStreamPerThread;
    void *words = nullptr;
    void *hits = nullptr;
    expect(cudaMallocFromPoolAsync(&words, kShardWords * sizeof(std::uint32_t), pool_, queue));
    expect(cudaMallocFromPoolAsync(&hits, sizeof(std::uint64_t), pool_, queue));
    expect(cudaMemsetAsync(hits, 0, sizeof(std::uint64_t), queue));
    expect(cudaMemcpyAsync(words, input_.data(), kShardWords * sizeof(std::uint32_t),
                           cudaMemcpyHostToDevice, queue));
    match<<<16, 256, 0, queue>>>(static_cast<std::uint32_t *>(words), kShardWords,
                                 static_cast<unsigned long long *>(hits), kMatchNs);
    expect(cudaGetLastError());
    expect(cudaMemcpyAsync(hits_.data() + shard, hits, sizeof(std::uint64_t),
                           cudaMemcpyDeviceToHost, queue));
    expect(cudaFreeAsync(words, queue));
    expect(cudaFreeAsync(hits, queue));
    expect(cudaStreamSynchronize(queue));
}

int ShardWorker::mismatches()
{
    int bad = 0;
    for (int s = 0; s < kShardsPerThread; ++s) {
        std::uint64_t want = 0;
        for (std::uint32_t i = 0; i < kShardWords; ++i)
            want += word_of(id_, s, i) % 1009u;
        bad += hits_.view()[s] != want;
    }
    return bad;
}

}  // namespace scan
