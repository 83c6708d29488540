#include "result_collector.h"

#include <stdexcept>
#include <utility>

namespace serving {
namespace {

void require(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorName(status));
}

}  // namespace

ResultCollector::ResultCollector(std::size_t slots, std::size_t rows_per_slot) : headers_(slots) {
  for (std::size_t i = 0; i < slots; ++i) {
    auto slot = std::make_unique<Slot>();
    slot->owner = this;
    slot->header = &headers_[i];
    slot->rows.resize(rows_per_slot);
    free_.push_back(slot.get());
    slots_.push_back(std::move(slot));
  }
  dispatcher_ = std::thread([this] { dispatch(); });
}

ResultCollector::~ResultCollector() {
  drain();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  dispatcher_.join();
}

ResultCollector::Slot* ResultCollector::take() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !free_.empty(); });
  Slot* slot = free_.front();
  free_.pop_front();
  return slot;
}

void ResultCollector::put_back(Slot* slot) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(slot);
  }
  changed_.notify_all();
}

void ResultCollector::collect(cudaStream_t stream, const RowHeader* d_header, const float* d_rows,
                              std::size_t count, Callback callback) {
  Slot* slot = take();
  try {
    if (count > slot->rows.size()) throw std::length_error("ResultCollector: too many rows");
    slot->count = count;
    slot->callback = std::move(callback);
    require(cudaMemcpyAsync(slot->header, d_header, sizeof(RowHeader), cudaMemcpyDeviceToHost, stream));
    require(cudaMemcpyAsync(slot->rows.data(), d_rows, count * sizeof(float), cudaMemcpyDeviceToHost, stream));
    require(cudaLaunchHostFunc(stream, &ResultCollector::on_ready, slot));
  } catch (...) {
    cudaStreamSynchronize(stream);
    put_back(slot);
    throw;
  }
}

void CUDART_CB ResultCollector::on_ready(void* user) {
  auto* slot = static_cast<Slot*>(user);
  ResultCollector* self = slot->owner;
  {
    std::lock_guard<std::mutex> lock(self->mutex_);
    self->ready_.push_back(slot);
  }
  self->changed_.notify_all();
}

void ResultCollector::dispatch() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !ready_.empty(); });
    if (ready_.empty()) return;
    Slot* slot = ready_.front();
    ready_.pop_front();
    lock.unlock();
    slot->callback(*slot->header, slot->rows.data(), slot->count);
    slot->callback = nullptr;
    put_back(slot);
    lock.lock();
  }
}

void ResultCollector::drain() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return free_.size() == slots_.size(); });
}

}  // namespace serving
