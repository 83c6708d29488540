#include "result_pump.hpp"

#include <utility>

namespace telemetry {
namespace {

void check(cudaError_t s, char const* what) {
  if (s != cudaSuccess) throw pump_error(s, what);
}

}  // namespace

result_pump::result_pump(std::size_t depth, std::size_t max_values, consumer fn)
  : fn_(std::move(fn)), max_values_(max_values), slots_(depth) {
  if (depth == 0) throw std::invalid_argument("result_pump: depth");
  for (auto& s : slots_) {
    s.owner = this;
    check(cudaMallocHost(reinterpret_cast<void**>(&s.pinned), max_values * sizeof(float)),
          "cudaMallocHost");
    check(cudaEventCreateWithFlags(&s.arrived, cudaEventDisableTiming),
          "cudaEventCreateWithFlags");
  }
}

result_pump::~result_pump() {
  drain();
  for (auto& s : slots_) {
    cudaEventSynchronize(s.arrived);
    cudaEventDestroy(s.arrived);
    cudaFreeHost(s.pinned);
  }
}

result_pump::slot* result_pump::find_idle() {
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    slot& s = slots_[(cursor_ + k) % slots_.size()];
    if (s.st == state::idle) return &s;
  }
  return nullptr;
}

result_pump::slot* result_pump::acquire() {
  std::unique_lock<std::mutex> lock(mutex_);
  slot* s = find_idle();
  while (s == nullptr) {
    check(cudaEventSynchronize(slots_[cursor_].arrived), "cudaEventSynchronize");
    s = find_idle();
  }
  s->st = state::in_flight;
  cursor_ = (static_cast<std::size_t>(s - slots_.data()) + 1) % slots_.size();
  ++in_flight_;
  return s;
}

void result_pump::release(slot* s) {
  std::lock_guard<std::mutex> lock(mutex_);
  s->st = state::idle;
  --in_flight_;
  ++delivered_;
  changed_.notify_all();
}

void CUDART_CB result_pump::on_arrival(void* arg) {
  slot* s = static_cast<slot*>(arg);
  s->owner->fn_(s->tag, s->pinned, s->n);
  s->owner->release(s);
}

void result_pump::submit(unsigned long long tag, float const* device_data, std::size_t n,
                         cudaStream_t stream) {
  if (n > max_values_) throw std::invalid_argument("result_pump: too many values");
  slot* s = acquire();
  s->tag = tag;
  s->n = n;
  check(cudaMemcpyAsync(s->pinned, device_data, n * sizeof(float), cudaMemcpyDeviceToHost, stream),
        "cudaMemcpyAsync");
  check(cudaLaunchHostFunc(stream, &result_pump::on_arrival, s), "cudaLaunchHostFunc");
  check(cudaEventRecord(s->arrived, stream), "cudaEventRecord");
}

void result_pump::drain() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return in_flight_ == 0; });
}

std::size_t result_pump::delivered() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return delivered_;
}

}  // namespace telemetry
