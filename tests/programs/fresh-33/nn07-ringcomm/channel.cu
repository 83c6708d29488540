#include "channel.hpp"
namespace rc {
Channel::Channel(std::size_t slot_bytes, int slots) : slots_(slots) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  check(cudaEventCreateWithFlags(&tail_, cudaEventDisableTiming));
  for (Slot& s : slots_) {
    void* p = nullptr;
    check(cudaMallocHost(&p, slot_bytes));
    s.host = static_cast<char*>(p);
    check(cudaEventCreateWithFlags(&s.staged, cudaEventDisableTiming));
  }
}

Channel::~Channel() {
  cudaStreamSynchronize(stream_);
  for (Slot& s : slots_) {
    cudaEventDestroy(s.staged);
    cudaFreeHost(s.host);
  }
  cudaEventDestroy(tail_);
  cudaStreamDestroy(stream_);
}

cudaEvent_t Channel::mark() {
  check(cudaEventRecord(tail_, stream_));
  return tail_;
}

Slot* Channel::stage(const void* device, std::size_t bytes) {
  Slot& slot = slots_[next_++ % slots_.size()];
  {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return !slot.busy; });
    slot.busy = true;
  }
  check(cudaMemcpyAsync(slot.host, device, bytes, cudaMemcpyDeviceToHost, stream_));
  check(cudaEventRecord(slot.staged, stream_));
  return &slot;
}

void Channel::retire(Slot* slot) {
  std::lock_guard<std::mutex> lock(mutex_);
  slot->busy = false;
  changed_.notify_all();
}

void Channel::deliver(const char* data, std::size_t bytes) {
  std::vector<char> part(data, data + bytes);
  std::lock_guard<std::mutex> lock(mutex_);
  inbox_.push_back(std::move(part));
  changed_.notify_all();
}

void Channel::drain(void* device, std::size_t bytes) {
  std::vector<char> part;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return !inbox_.empty(); });
    part = std::move(inbox_.front());
    inbox_.pop_front();
  }
  check(part.size() == bytes ? cudaSuccess : cudaErrorInvalidValue);
  check(cudaMemcpyAsync(device, part.data(), bytes, cudaMemcpyHostToDevice, stream_));
  check(cudaStreamSynchronize(stream_));
}
}  // namespace rc
