#include "beacon.h"

#include <thread>
#include <utility>

namespace beacon {

Result::Result(std::shared_ptr<PinnedCache> cache, std::size_t count) : cache_(std::move(cache)), count_(count) {
  scores_ = static_cast<float*>(cache_->take(count_ * sizeof(float)));
  check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming));
}

Result::Result(Result&& other) noexcept
    : cache_(std::move(other.cache_)),
      count_(std::exchange(other.count_, 0)),
      scores_(std::exchange(other.scores_, nullptr)),
      done_(std::exchange(other.done_, nullptr)) {}

Result& Result::operator=(Result&& other) noexcept {
  if (this != &other) {
    drop();
    cache_ = std::move(other.cache_);
    count_ = std::exchange(other.count_, 0);
    scores_ = std::exchange(other.scores_, nullptr);
    done_ = std::exchange(other.done_, nullptr);
  }
  return *this;
}

Result::~Result() { drop(); }

void Result::drop() noexcept {
  if (!scores_) return;
  cudaEventDestroy(done_);
  cache_->give(scores_, count_ * sizeof(float));
  scores_ = nullptr;
  done_ = nullptr;
}

bool Result::ready() const {
  const cudaError_t e = cudaEventQuery(done_);
  if (e == cudaErrorNotReady) return false;
  check(e);
  return true;
}

bool Result::wait_for(std::chrono::microseconds limit) const {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (!ready()) {
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

void Result::wait() const { check(cudaEventSynchronize(done_)); }

}  // namespace beacon
