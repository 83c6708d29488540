#pragma once
#include "device_array.hpp"

namespace relop {

struct Slot {
  std::int32_t key;
  std::int32_t payload;
};

constexpr std::int32_t kEmpty = -1;

__device__ inline std::uint32_t mix(std::uint32_t h) {
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ (h >> 16);
}

struct TableView {
  const Slot* slots;
  std::uint32_t mask;

  __device__ std::int32_t find(std::int32_t key, std::int32_t otherwise) const {
    for (std::uint32_t i = mix(key) & mask, step = 0; step <= mask; i = (i + 1) & mask, ++step) {
      const std::int32_t found = slots[i].key;
      if (found == key) return slots[i].payload;
      if (found == kEmpty) break;
    }
    return otherwise;
  }
};

// Open addressing with linear probing; at most half full.
class HashTable {
 public:
  HashTable(const std::int32_t* keys, const std::int32_t* payloads, std::size_t rows, cudaStream_t stream);
  HashTable(HashTable&&) noexcept = default;

  TableView view() const { return {slots_.data(), static_cast<std::uint32_t>(slots_.size() - 1)}; }
  void set_stream(cudaStream_t stream) { slots_.set_stream(stream); }

 private:
  DeviceArray<Slot> slots_;
};

}  // namespace relop
