#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <memory>
#include <vector>

inline void must(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::exit(1);
}

namespace mem {

struct Block {
  void* ptr = nullptr;
  std::size_t bytes = 0;
  cudaStream_t home = nullptr;
  std::vector<cudaEvent_t> fences;
};

// Caches device blocks by size and home stream.  A block that was lent to other
// streams comes back with the list of them and is fenced against each.
class BlockCache {
 public:
  static BlockCache& instance();

  Block* acquire(std::size_t bytes, cudaStream_t home);
  void release(Block* b, const std::vector<cudaStream_t>& borrowers);
  void trim();

 private:
  cudaEvent_t popEvent();

  std::vector<std::unique_ptr<Block>> owned_;
  std::list<Block*> idle_;
  std::vector<cudaEvent_t> events_;
};

}  // namespace mem
