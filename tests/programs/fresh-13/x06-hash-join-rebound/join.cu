#include <cstdint>

#include "join.hpp"

namespace cq {
namespace {

struct entry {
  int key;
  int row;
};

constexpr int kEmpty = INT32_MIN;
constexpr int kBlock = 256;

__host__ __device__ constexpr std::uint32_t hash_of(int key) {
  return static_cast<std::uint32_t>(key) * 2654435761u;
}

__global__ void clear_table(entry* table, std::size_t capacity) {
  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < capacity) table[i] = entry{kEmpty, -1};
}

__global__ void insert_rows(entry* table, std::size_t mask, const int* keys, std::size_t n) {
  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const int key = keys[i];
  for (std::size_t s = hash_of(key) & mask;; s = (s + 1) & mask) {
    if (atomicCAS(&table[s].key, kEmpty, key) == kEmpty) {
      table[s].row = static_cast<int>(i);
      return;
    }
  }
}

__global__ void probe_rows(const entry* table, std::size_t mask, const int* keys, std::size_t n,
                           int* matches, unsigned long long cost_ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < cost_ns);

  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const int key = keys[i];
  int row = -1;
  std::size_t s = hash_of(key) & mask;
  for (std::size_t step = 0; step <= mask; ++step, s = (s + 1) & mask) {
    const entry e = table[s];
    if (e.key == key) row = e.row;
    if (e.key == key || e.key == kEmpty) break;
  }
  matches[i] = row;
}

unsigned blocks(std::size_t n) { return static_cast<unsigned>((n + kBlock - 1) / kBlock); }

std::size_t capacity_for(std::size_t rows, double load_factor) {
  std::size_t capacity = 1;
  while (capacity * load_factor < rows) capacity *= 2;
  return capacity;
}

}  // namespace

join_engine::join_engine(pool_resource& mr) : mr_{mr} {
  expect(cudaStreamCreateWithFlags(&probe_stream_, cudaStreamNonBlocking));
}

join_engine::~join_engine() {
  expect(cudaStreamSynchronize(probe_stream_));
  expect(cudaStreamDestroy(probe_stream_));
}

join_result join_engine::inner(column_view build, column_view probe, stream_view stream,
                               const join_options& options) {
  const std::size_t capacity = capacity_for(build.size, options.load_factor);
  device_buffer<entry> table{capacity, stream, mr_};
  clear_table<<<blocks(capacity), kBlock, 0, stream.value()>>>(table.data(), capacity);
  insert_rows<<<blocks(build.size), kBlock, 0, stream.value()>>>(table.data(), capacity - 1,
                                                                build.data, build.size);
  expect(cudaGetLastError());

  event built;
  built.record(stream);
  built.block(probe_stream_);

  join_result result{device_buffer<int>{probe.size, probe_stream_, mr_}, event{}};
  probe_rows<<<blocks(probe.size), kBlock, 0, probe_stream_>>>(
      table.data(), capacity - 1, probe.data, probe.size, result.matches.data(),
      options.row_group_ns);
  expect(cudaGetLastError());
  table.set_stream(probe_stream_);
  result.ready.record(probe_stream_);
  return result;
}

}  // namespace cq
