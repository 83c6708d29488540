#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <vector>

namespace seeds {

struct Fault : std::runtime_error {
  explicit Fault(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)) {}
};

inline void guard(cudaError_t c) {
  if (c != cudaSuccess) throw Fault(c);
}

constexpr unsigned kReads = 32768;
constexpr unsigned kDefaultCapacity = kReads / 8;

struct Status {
  unsigned hits;
  unsigned overflow;
};

// A batch of reads with pinned memory for what goes in and comes out. It is
// owned by whoever has it in hand.
struct Chunk {
  int id = -1;
  unsigned one_in = 16;
  unsigned capacity = kDefaultCapacity;
  unsigned* reads = nullptr;
  unsigned* hits = nullptr;
  Status* status = nullptr;
  cudaEvent_t mapped = nullptr;

  Chunk();
  ~Chunk();
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;
};

__host__ __device__ inline unsigned seed_of(unsigned read) {
  unsigned h = read * 2246822519u;
  h ^= h >> 15;
  h *= 3266489917u;
  return h ^ (h >> 13);
}

class Mapper {
 public:
  explicit Mapper(int streams);
  ~Mapper();
  Mapper(const Mapper&) = delete;
  Mapper& operator=(const Mapper&) = delete;

  void submit(Chunk& c, long long ns);
  void drain();
  int streams() const { return static_cast<int>(streams_.size()); }

 private:
  struct Scratch {
    unsigned* reads = nullptr;
    unsigned* hits = nullptr;
    Status* status = nullptr;
  };
  Scratch allocate(unsigned capacity, cudaStream_t s);
  void release(const Scratch& x, cudaStream_t s);
  void prime();

  cudaMemPool_t pool_ = nullptr;
  std::vector<cudaStream_t> streams_;
  size_t turn_ = 0;
};

}  // namespace seeds
