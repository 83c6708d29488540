#include "block_pool.h"

namespace vid {

BlockPool::~BlockPool() {
  for (auto& block : all_) {
    for (cudaEvent_t e : block->pending) cudaEventDestroy(e);
    cudaFree(block->data);
  }
  for (cudaEvent_t e : events_) cudaEventDestroy(e);
}

cudaEvent_t BlockPool::take_event() {
  if (events_.empty()) {
    cudaEvent_t e = nullptr;
    CUDA_TRY(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return e;
  }
  cudaEvent_t e = events_.back();
  events_.pop_back();
  return e;
}

BlockPool::Handle BlockPool::acquire(std::size_t bytes, cudaStream_t owner) {
  const auto fits = std::find_if(idle_.begin(), idle_.end(),
                                 [&](const Block* b) { return b->owner == owner && b->bytes >= bytes; });
  if (fits != idle_.end()) {
    Block* block = *fits;
    idle_.erase(fits);
    for (cudaEvent_t e : block->pending) {
      CUDA_TRY(cudaStreamWaitEvent(owner, e, 0));
      events_.push_back(e);
    }
    block->pending.clear();
    return Handle(block, GiveBack{this});
  }
  auto fresh = std::make_unique<Block>();
  CUDA_TRY(cudaMalloc(&fresh->data, bytes));
  fresh->bytes = bytes;
  fresh->owner = owner;
  all_.push_back(std::move(fresh));
  return Handle(all_.back().get(), GiveBack{this});
}

void BlockPool::add_guest(const Handle& block, cudaStream_t stream) {
  if (stream == block->owner) return;
  auto& g = block->guests;
  if (std::find(g.begin(), g.end(), stream) == g.end()) g.push_back(stream);
}

void BlockPool::give_back(Block* block) {
  for (cudaStream_t guest : block->guests) {
    cudaEvent_t e = take_event();
    CUDA_TRY(cudaEventRecord(e, guest));
    block->pending.push_back(e);
  }
  block->guests.clear();
  idle_.push_back(block);
}

}  // namespace vid
