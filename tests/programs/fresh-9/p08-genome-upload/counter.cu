#include "counter.h"

namespace kmer {
namespace {

__global__ void count_kmers(const std::uint8_t* codes, std::size_t n, std::uint32_t* counts, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i + kK <= n; i += step) {
        std::uint32_t word = 0;
        for (int k = 0; k < kK; ++k) word = word << 2 | (codes[i + k] & 3u);
        atomicAdd(&counts[word], 1u);
    }
}

}  // namespace

Counter::Counter(const Settings& s) : set_(s), ring_(s.bases_per_batch, s.pinned_slots) {
    must(cudaStreamCreateWithFlags(&upload_, cudaStreamNonBlocking));
    must(cudaStreamCreateWithFlags(&compute_, cudaStreamNonBlocking));
    for (Lane& l : lanes_) {
        must(cudaMalloc(&l.codes, s.bases_per_batch));
        must(cudaEventCreateWithFlags(&l.uploaded, cudaEventDisableTiming));
        must(cudaEventCreateWithFlags(&l.consumed, cudaEventDisableTiming));
    }
    const std::size_t bytes = sizeof(std::uint32_t) * kKmers * s.max_batches;
    must(cudaMalloc(&counts_, bytes));
    must(cudaMemsetAsync(counts_, 0, bytes, compute_));
}

Counter::~Counter() {
    cudaStreamSynchronize(compute_);
    cudaStreamSynchronize(upload_);
    for (Lane& l : lanes_) {
        cudaEventDestroy(l.consumed);
        cudaEventDestroy(l.uploaded);
        cudaFree(l.codes);
    }
    cudaFree(counts_);
    cudaStreamDestroy(compute_);
    cudaStreamDestroy(upload_);
}

const std::uint8_t* Counter::encode(const std::string& bases) {
    PinnedRing::Lease lease = ring_.lease(upload_);
    std::uint8_t* out = lease.data();
    for (std::size_t i = 0; i < bases.size(); ++i) out[i] = code_of(bases[i]);
    return out;
}

void Counter::submit(const std::string& bases) {
    Lane& lane = lanes_[batch_ % lanes_.size()];
    const std::uint8_t* packed = encode(bases);

    must(cudaStreamWaitEvent(upload_, lane.consumed, 0));
    must(cudaMemcpyAsync(lane.codes, packed, bases.size(), cudaMemcpyHostToDevice, upload_));
    must(cudaEventRecord(lane.uploaded, upload_));

    must(cudaStreamWaitEvent(compute_, lane.uploaded, 0));
    count_kmers<<<64, 256, 0, compute_>>>(lane.codes, bases.size(), counts_ + std::size_t(batch_) * kKmers, set_.filter_ns);
    must(cudaGetLastError());
    must(cudaEventRecord(lane.consumed, compute_));
    ++batch_;
}

std::vector<std::uint32_t> Counter::finish() {
    std::vector<std::uint32_t> all(std::size_t(batch_) * kKmers);
    must(cudaMemcpyAsync(all.data(), counts_, all.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, compute_));
    must(cudaStreamSynchronize(compute_));
    return all;
}

}  // namespace kmer
