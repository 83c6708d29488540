#include "hash_join.hpp"

namespace qop {
namespace {

__global__ void insert_rows(Slot* slots, std::uint32_t mask, const std::int32_t* keys,
                            const std::int32_t* payloads, std::size_t rows) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i >= rows) return;
  const std::int32_t key = keys[i];
  for (std::uint32_t at = mix(key) & mask;; at = (at + 1) & mask) {
    const std::int32_t seen = atomicCAS(&slots[at].key, kEmpty, key);
    if (seen == kEmpty || seen == key) {
      slots[at].payload = payloads[i];
      return;
    }
  }
}

std::size_t capacity_for(std::size_t rows) {
  std::size_t n = 64;
  while (n < 2 * rows) n *= 2;
  return n;
}

}  // namespace

HashTable::HashTable(const std::int32_t* keys, const std::int32_t* payloads, std::size_t rows,
                     cudaStream_t stream)
    : slots_(capacity_for(rows), stream) {
  check(cudaMemsetAsync(slots_.data(), 0xff, slots_.size() * sizeof(Slot), stream));
  const unsigned blocks = static_cast<unsigned>((rows + 255) / 256);
  insert_rows<<<blocks, 256, 0, stream>>>(slots_.data(), static_cast<std::uint32_t>(slots_.size() - 1), keys,
                                          payloads, rows);
  check(cudaGetLastError());
}

HashJoin::HashJoin() {
  int device = 0;
  check(cudaGetDevice(&device));
  cudaMemPool_t pool;
  check(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t keep = UINT64_MAX;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  check(cudaStreamCreateWithFlags(&build_stream_, cudaStreamNonBlocking));
  check(cudaEventCreateWithFlags(&built_, cudaEventDisableTiming));
}

HashJoin::~HashJoin() {
  cudaStreamSynchronize(build_stream_);
  cudaEventDestroy(built_);
  cudaStreamDestroy(build_stream_);
}

}  // namespace qop
