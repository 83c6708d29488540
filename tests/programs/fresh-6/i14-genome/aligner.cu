#include "aligner.h"

#include <utility>

namespace {

__host__ __device__ std::uint32_t kmer(std::uint32_t seed, int i) {
    std::uint32_t x = seed + 0x9e3779b9u * static_cast<std::uint32_t>(i);
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    return x ^ (x >> 13);
}

__global__ void index_read(Read r, std::uint32_t* table, std::uint32_t* total, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (int i = threadIdx.x; i < r.length; i += blockDim.x) table[i] = kmer(r.seed, i);
    if (threadIdx.x == 0) *total = 0;
}

__global__ void sum_read(const std::uint32_t* table, int n, std::uint32_t* total) {
    std::uint32_t acc = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) acc += table[i];
    atomicAdd(total, acc);
}

#define TRY(x)                                         \
    if (cudaError_t e = (x); e != cudaSuccess) return e

}  // namespace

std::optional<Aligner> Aligner::create(int max_reads, cudaError_t& why) {
    Aligner a;
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    std::uint64_t keep = UINT64_MAX;
    const auto setup = [&]() -> cudaError_t {
        TRY(cudaStreamCreateWithFlags(&a.stream_, cudaStreamNonBlocking));
        TRY(cudaMemPoolCreate(&a.pool_, &props));
        TRY(cudaMemPoolSetAttribute(a.pool_, cudaMemPoolAttrReleaseThreshold, &keep));
        return cudaMallocHost(&a.scores_, max_reads * sizeof(std::uint32_t));
    };
    if (why = setup(); why != cudaSuccess) return std::nullopt;
    return std::optional<Aligner>(std::move(a));
}

Aligner::Aligner(Aligner&& o) noexcept
    : stream_(std::exchange(o.stream_, nullptr)),
      pool_(std::exchange(o.pool_, nullptr)),
      scores_(std::exchange(o.scores_, nullptr)) {}

Aligner::~Aligner() {
    if (stream_) {
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    if (pool_) cudaMemPoolDestroy(pool_);
    if (scores_) cudaFreeHost(scores_);
}

cudaError_t Aligner::align(const std::vector<Read>& reads) {
    for (std::size_t i = 0; i < reads.size(); ++i) {
        const Read& r = reads[i];
        std::uint32_t *table = nullptr, *total = nullptr;
        TRY(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&table), r.length * sizeof(std::uint32_t), pool_, stream_));
        TRY(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&total), sizeof(std::uint32_t), pool_, stream_));
        index_read<<<1, 256, 0, stream_>>>(r, table, total, 12'000'000ull);
        sum_read<<<1, 256, 0, stream_>>>(table, r.length, total);
        TRY(cudaGetLastError());
        TRY(cudaMemcpyAsync(&scores_[i], total, sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream_));
        TRY(cudaFreeAsync(table, stream_));
        TRY(cudaFreeAsync(total, stream_));
    }
    return cudaSuccess;
}

std::uint32_t reference_score(const Read& r) {
    std::uint32_t s = 0;
    for (int i = 0; i < r.length; ++i) s += kmer(r.seed, i);
    return s;
}
