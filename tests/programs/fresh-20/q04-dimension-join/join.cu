#include "join.h"

namespace dimjoin {

namespace {

constexpr int kThreads = 256;
constexpr std::int32_t kEmpty = -1;

struct slot {
  std::int32_t key;
  std::int32_t value;
};

__device__ std::uint32_t mix(std::uint32_t h) {
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ (h >> 16);
}

__global__ void insert_rows(slot* table, std::uint32_t mask, const std::int32_t* keys, const std::int32_t* values,
                            std::size_t n) {
  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  std::int32_t key = keys[i];
  for (std::uint32_t at = mix(key) & mask;; at = (at + 1) & mask) {
    if (atomicCAS(&table[at].key, kEmpty, key) == kEmpty) {
      table[at].value = values[i];
      return;
    }
  }
}

__global__ void probe_rows(const slot* table, std::uint32_t mask, const std::int32_t* facts, std::int32_t* out,
                           std::size_t n, std::int32_t missing) {
  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  std::int32_t key = facts[i];
  std::int32_t found = missing;
  for (std::uint32_t at = mix(key) & mask, left = mask; left > 0; at = (at + 1) & mask, --left) {
    slot s = table[at];
    if (s.key == kEmpty) break;
    if (s.key == key) {
      found = s.value;
      break;
    }
  }
  out[i] = found;
}

std::uint32_t capacity_for(std::size_t rows) {
  std::uint32_t c = 64;
  while (c < 2 * rows) c *= 2;
  return c;
}

unsigned blocks_for(std::size_t n) { return unsigned((n + kThreads - 1) / kThreads); }

}  // namespace

struct dimension_join::hash_table {
  buffer<slot> slots;
  std::uint32_t mask;
};

dimension_join::dimension_join(memory_resource& mr) : mr_(&mr) {
  DJ_CUDA(cudaStreamCreateWithFlags(&build_stream_, cudaStreamNonBlocking));
  DJ_CUDA(cudaEventCreateWithFlags(&built_, cudaEventDisableTiming));
}

dimension_join::~dimension_join() {
  cudaStreamSynchronize(build_stream_);
  cudaEventDestroy(built_);
  cudaStreamDestroy(build_stream_);
}

dimension_join::hash_table dimension_join::build(const dimension& dim) {
  std::uint32_t capacity = capacity_for(dim.keys.size);
  hash_table t{buffer<slot>(capacity, build_stream_, *mr_), capacity - 1};
  DJ_CUDA(cudaMemsetAsync(t.slots.data(), 0xff, t.slots.bytes(), build_stream_));
  insert_rows<<<blocks_for(dim.keys.size), kThreads, 0, build_stream_>>>(t.slots.data(), t.mask, dim.keys.data,
                                                                         dim.values.data, dim.keys.size);
  DJ_CUDA(cudaGetLastError());
  return t;
}

void dimension_join::lookup(const dimension& dim, column_view<const std::int32_t> facts,
                            column_view<std::int32_t> out, std::int32_t missing, stream_view stream) {
  if (facts.size == 0) return;
  hash_table table = build(dim);
  DJ_CUDA(cudaEventRecord(built_, build_stream_));
  DJ_CUDA(cudaStreamWaitEvent(stream, built_, 0));
  probe_rows<<<blocks_for(facts.size), kThreads, 0, stream>>>(table.slots.data(), table.mask, facts.data, out.data,
                                                              facts.size, missing);
  DJ_CUDA(cudaGetLastError());
}

}  // namespace dimjoin
