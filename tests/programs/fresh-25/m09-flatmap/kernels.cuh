#pragma once

#include <cstddef>
#include <cstdint>

namespace flatmap::detail {

template <typename Key, typename Value>
struct slot {
  Key key;
  Value value;
};

__device__ inline void probe_latency(unsigned long long ns)
{
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < ns);
}

template <typename Key>
__host__ __device__ std::uint32_t hash(Key k)
{
  auto h = static_cast<std::uint32_t>(k);
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  return h;
}

template <typename Key, typename Value>
__global__ void clear(slot<Key, Value>* slots, std::size_t capacity, Key empty)
{
  std::size_t const i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < capacity) { slots[i] = {empty, Value{}}; }
}

template <typename Key, typename Value>
__global__ void insert(slot<Key, Value>* slots, std::size_t capacity, Key empty, Key const* keys,
                       Value const* values, std::size_t n)
{
  probe_latency(50'000'000ull);
  std::size_t const i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) { return; }
  Key const key   = keys[i];
  std::size_t pos = hash(key) & (capacity - 1);
  while (true) {
    Key const seen = atomicCAS(&slots[pos].key, empty, key);
    if (seen == empty || seen == key) {
      slots[pos].value = values[i];
      return;
    }
    pos = (pos + 1) & (capacity - 1);
  }
}

template <typename Key, typename Value>
__global__ void find(slot<Key, Value> const* slots, std::size_t capacity, Key empty,
                     Key const* keys, Value* out, std::size_t n, Value missing)
{
  std::size_t const i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) { return; }
  std::size_t pos = hash(keys[i]) & (capacity - 1);
  while (slots[pos].key != empty && slots[pos].key != keys[i]) {
    pos = (pos + 1) & (capacity - 1);
  }
  out[i] = slots[pos].key == keys[i] ? slots[pos].value : missing;
}

template <typename Key, typename Value>
__global__ void count(slot<Key, Value> const* slots, std::size_t capacity, Key empty,
                      unsigned* total)
{
  probe_latency(50'000'000ull);
  std::size_t const i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  bool const used     = i < capacity && slots[i].key != empty;
  int const in_block  = __syncthreads_count(used);
  if (threadIdx.x == 0) { atomicAdd(total, static_cast<unsigned>(in_block)); }
}

}  // namespace flatmap::detail
