#include "communicator.hpp"
#include <algorithm>

namespace rc {
Proxy::~Proxy() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Proxy::submit(Channel* from, Channel* to, Slot* slot, std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  jobs_.push_back({from, to, slot, bytes});
  wake_.notify_one();
}

void Proxy::run() {
  for (;;) {
    Job job;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      job = jobs_.front();
      jobs_.pop_front();
    }
    const cudaError_t e = cudaEventSynchronize(job.slot->staged);
    if (e != cudaSuccess) status_ = e;
    job.to->deliver(job.slot->host, job.bytes);
    job.from->retire(job.slot);
  }
}

Communicator::Communicator(int channels, std::size_t part_bytes, int slots) : part_(part_bytes) {
  check(cudaEventCreateWithFlags(&entry_, cudaEventDisableTiming));
  for (int c = 0; c < channels; ++c) channels_.push_back(std::make_unique<Channel>(part_bytes, slots));
}

Communicator::~Communicator() { cudaEventDestroy(entry_); }

void Communicator::fork(cudaStream_t stream) {
  for (auto& channel : channels_) channel->follow(entry_);
  check(cudaEventRecord(entry_, stream));
}

void Communicator::join(cudaStream_t stream) {
  for (auto& channel : channels_) check(cudaStreamWaitEvent(stream, channel->mark(), 0));
}

void Communicator::send(const float* data, std::size_t count, cudaStream_t stream) {
  check(proxy_.status());
  fork(stream);
  const char* src = reinterpret_cast<const char*>(data);
  const std::size_t total = count * sizeof(float);
  std::size_t c = 0;
  for (std::size_t at = 0; at < total; at += part_, c = (c + 1) % channels_.size()) {
    const std::size_t bytes = std::min(part_, total - at);
    Slot* slot = channels_[c]->stage(src + at, bytes);
    proxy_.submit(channels_[c].get(), peer_->channels_[c].get(), slot, bytes);
  }
  join(stream);
}

void Communicator::recv(float* data, std::size_t count, cudaStream_t stream) {
  fork(stream);
  char* dst = reinterpret_cast<char*>(data);
  const std::size_t total = count * sizeof(float);
  std::size_t c = 0;
  for (std::size_t at = 0; at < total; at += part_, c = (c + 1) % channels_.size())
    channels_[c]->drain(dst + at, std::min(part_, total - at));
  join(stream);
  check(peer_->proxy_.status());
}
}  // namespace rc
