#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define CUDA_TRY(expr)                                  \
  do {                                                  \
    const cudaError_t status_ = (expr);                 \
    if (status_ != cudaSuccess) {                       \
      std::printf("ERROR %s\n", cudaGetErrorName(status_)); \
      std::fflush(stdout);                              \
      std::_Exit(1);                                    \
    }                                                   \
  } while (0)

namespace vid {

// Device memory handed out in stream order. A block belongs to the stream it was acquired for and can be
// acquired again for that stream as soon as it has been given back. Streams other than the owner that read
// or write a block are its guests.
class BlockPool {
 public:
  struct Block {
    void* data = nullptr;
    std::size_t bytes = 0;
    cudaStream_t owner = nullptr;
    std::vector<cudaStream_t> guests;
    std::vector<cudaEvent_t> pending;
  };

  struct GiveBack {
    BlockPool* pool = nullptr;
    void operator()(Block* block) const {
      if (block) pool->give_back(block);
    }
  };
  using Handle = std::unique_ptr<Block, GiveBack>;

  ~BlockPool();
  Handle acquire(std::size_t bytes, cudaStream_t owner);
  static void add_guest(const Handle& block, cudaStream_t stream);

 private:
  void give_back(Block* block);
  cudaEvent_t take_event();

  std::vector<std::unique_ptr<Block>> all_;
  std::vector<Block*> idle_;
  std::vector<cudaEvent_t> events_;
};

using Frame = BlockPool::Handle;

}  // namespace vid
