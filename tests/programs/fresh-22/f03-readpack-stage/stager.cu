#include "stager.h"

#include <algorithm>
#include <cstring>

namespace readpack {
namespace {

__global__ void count_kmers(const std::uint32_t* words, int reads, int words_per_read, int length, unsigned int* histogram) {
  constexpr int k = ReadStager::kMer;
  constexpr unsigned int mask = ReadStager::kBins - 1;
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < reads; r += gridDim.x * blockDim.x) {
    const std::uint32_t* read = words + static_cast<std::size_t>(r) * words_per_read;
    unsigned int mer = 0;
    for (int i = 0; i < length; ++i) {
      const unsigned int base = (read[i / 16] >> (2 * (i % 16))) & 3u;
      mer = ((mer << 2) | base) & mask;
      if (i >= k - 1) atomicAdd(histogram + mer, 1u);
    }
  }
}

unsigned int code_of(char base) {
  switch (base) {
    case 'C': return 1;
    case 'G': return 2;
    case 'T': return 3;
    default: return 0;
  }
}

void pack(const std::string& read, std::uint32_t* words, int count) {
  std::memset(words, 0, count * sizeof(std::uint32_t));
  for (std::size_t i = 0; i < read.size(); ++i) {
    words[i / 16] |= code_of(read[i]) << (2 * (i % 16));
  }
}

}  // namespace

ReadStager::ReadStager(PinnedPool& pool, WorkerStreams streams, int max_reads, int read_length)
    : pool_(pool),
      streams_(streams),
      max_reads_(max_reads),
      read_length_(read_length),
      words_per_read_((read_length + 15) / 16) {
  for (Slot& slot : slots_) {
    READPACK_CHECK(cudaMalloc(&slot.words, sizeof(std::uint32_t) * words_per_read_ * max_reads_));
    READPACK_CHECK(cudaEventCreateWithFlags(&slot.ready, cudaEventDisableTiming));
    READPACK_CHECK(cudaEventCreateWithFlags(&slot.consumed, cudaEventDisableTiming));
  }
}

ReadStager::~ReadStager() {
  cudaStreamSynchronize(streams_.copy);
  cudaStreamSynchronize(streams_.compute);
  for (Slot& slot : slots_) {
    cudaEventDestroy(slot.ready);
    cudaEventDestroy(slot.consumed);
    cudaFree(slot.words);
  }
}

int ReadStager::stage(const ReadBatch& batch) {
  const int index = next_;
  next_ = (next_ + 1) % kSlots;
  Slot& slot = slots_[index];
  slot.reads = std::min<int>(max_reads_, static_cast<int>(batch.reads.size()));
  const std::size_t bytes = sizeof(std::uint32_t) * words_per_read_ * slot.reads;

  PinnedLease lease(pool_, bytes, streams_.compute);
  auto* packed = lease.as<std::uint32_t>();
  for (int r = 0; r < slot.reads; ++r) {
    pack(batch.reads[r], packed + static_cast<std::size_t>(r) * words_per_read_, words_per_read_);
  }

  READPACK_CHECK(cudaStreamWaitEvent(streams_.copy, slot.consumed, 0));
  READPACK_CHECK(cudaMemcpyAsync(slot.words, packed, bytes, cudaMemcpyHostToDevice, streams_.copy));
  READPACK_CHECK(cudaEventRecord(slot.ready, streams_.copy));
  return index;
}

void ReadStager::count(int index, unsigned int* histogram) {
  Slot& slot = slots_.at(index);
  READPACK_CHECK(cudaStreamWaitEvent(streams_.compute, slot.ready, 0));
  const int blocks = std::max(1, (slot.reads + 127) / 128);
  count_kmers<<<blocks, 128, 0, streams_.compute>>>(slot.words, slot.reads, words_per_read_, read_length_, histogram);
  READPACK_CHECK(cudaGetLastError());
  READPACK_CHECK(cudaEventRecord(slot.consumed, streams_.compute));
}

}  // namespace readpack
