// courier: small building blocks shared by the task layer.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace courier {

class cuda_error : public std::runtime_error {
 public:
  cuda_error(cudaError_t code, const char* what) : std::runtime_error(what), code_(code) {}
  cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

inline void check(cudaError_t e, const char* what) {
  if (e != cudaSuccess) throw cuda_error(e, what);
}

#define COURIER_TRY(expr) ::courier::check((expr), #expr)

/// Move-only event without timing.
class event {
 public:
  event() { COURIER_TRY(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
  event(event&& o) noexcept : e_(std::exchange(o.e_, nullptr)) {}
  event& operator=(event&&) = delete;
  ~event() {
    if (e_) cudaEventDestroy(e_);
  }
  cudaEvent_t get() const noexcept { return e_; }
  void wait_host() const { COURIER_TRY(cudaEventSynchronize(e_)); }

 private:
  cudaEvent_t e_ = nullptr;
};

/// Non-owning stream handle, passed by value everywhere.
class lane_view {
 public:
  explicit lane_view(cudaStream_t s) : s_(s) {}
  cudaStream_t get() const noexcept { return s_; }
  void record(const event& e) const { COURIER_TRY(cudaEventRecord(e.get(), s_)); }
  void wait(const event& e) const { COURIER_TRY(cudaStreamWaitEvent(s_, e.get(), 0)); }

 private:
  cudaStream_t s_;
};

/// Owns a set of non-blocking streams and hands them out in turn.
class lane_set {
 public:
  explicit lane_set(int n) : lanes_(n) {
    for (auto& s : lanes_) COURIER_TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  }
  lane_set(const lane_set&) = delete;
  lane_set& operator=(const lane_set&) = delete;
  ~lane_set() {
    for (auto s : lanes_) {
      cudaStreamSynchronize(s);
      cudaStreamDestroy(s);
    }
  }
  lane_view next() { return lane_view(lanes_[turn_++ % lanes_.size()]); }

 private:
  std::vector<cudaStream_t> lanes_;
  std::size_t turn_ = 0;
};

/// Stream-ordered array; storage comes from and goes back to the device's default pool.
template <class T>
class device_array {
 public:
  device_array(std::size_t n, lane_view home) : n_(n), home_(home) {
    COURIER_TRY(cudaMallocAsync(reinterpret_cast<void**>(&p_), n * sizeof(T), home.get()));
  }
  device_array(device_array&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(o.n_), home_(o.home_) {}
  device_array& operator=(device_array&&) = delete;
  ~device_array() {
    if (p_) cudaFreeAsync(p_, home_.get());
  }
  T* data() noexcept { return p_; }
  const T* data() const noexcept { return p_; }
  std::size_t size() const noexcept { return n_; }

 private:
  T* p_ = nullptr;
  std::size_t n_ = 0;
  lane_view home_;
};

}  // namespace courier
