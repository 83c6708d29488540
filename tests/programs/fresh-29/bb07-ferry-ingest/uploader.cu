#include "ferry.h"

#include <algorithm>
#include <cstring>

namespace ferry {

Uploader::Uploader(std::size_t slot_bytes, int slots, std::unique_ptr<Decoder> decoder)
    : slot_bytes_(slot_bytes), decoder_(std::move(decoder)), slots_(slots) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  for (Slot& s : slots_) {
    s.owner = this;
    check(cudaHostAlloc(reinterpret_cast<void**>(&s.host), slot_bytes_, cudaHostAllocWriteCombined));
    check(cudaMalloc(reinterpret_cast<void**>(&s.device), slot_bytes_));
    idle_.push_back(&s);
  }
}

Uploader::~Uploader() {
  cudaStreamSynchronize(stream_);
  for (Slot& s : slots_) {
    cudaFreeHost(s.host);
    cudaFree(s.device);
  }
  cudaStreamDestroy(stream_);
}

Uploader::Slot* Uploader::acquire() {
  std::unique_lock<std::mutex> lock(mu_);
  freed_.wait(lock, [this] { return !idle_.empty(); });
  Slot* s = idle_.back();
  idle_.pop_back();
  ++stats_.pushed;
  return s;
}

void CUDART_CB Uploader::on_landed(void* arg) {
  Slot* s = static_cast<Slot*>(arg);
  Uploader* self = s->owner;
  {
    std::lock_guard<std::mutex> lock(self->mu_);
    ++self->stats_.landed;
    self->stats_.bytes_landed += s->bytes;
    self->idle_.push_back(s);
  }
  self->freed_.notify_one();
}

void Uploader::push(const void* src, std::size_t bytes, std::uint8_t* dst) {
  std::lock_guard<std::mutex> turn(submit_mu_);
  const auto* from = static_cast<const std::uint8_t*>(src);
  for (std::size_t at = 0; at < bytes; at += slot_bytes_) {
    Slot* s = acquire();
    s->bytes = std::min(slot_bytes_, bytes - at);
    std::memcpy(s->host, from + at, s->bytes);
    check(cudaMemcpyAsync(s->device, s->host, s->bytes, cudaMemcpyHostToDevice, stream_));
    decoder_->decode(dst + at, s->device, s->bytes, stream_);
    check(cudaLaunchHostFunc(stream_, &Uploader::on_landed, s));
  }
}

Stats Uploader::drain() {
  std::lock_guard<std::mutex> lock(mu_);
  check(cudaStreamSynchronize(stream_));
  return stats_;
}

}  // namespace ferry
