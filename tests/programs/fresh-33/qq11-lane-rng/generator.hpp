#pragma once
#include "engine.hpp"

#include <vector>

namespace lrng {

// A stream or an event that is destroyed with its holder.
template <typename H, cudaError_t (*Destroy)(H)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(H h) : h_(h) {}
  Handle(Handle&& o) noexcept : h_(o.h_) { o.h_ = nullptr; }
  Handle& operator=(Handle&& o) noexcept {
    H t = h_;
    h_ = o.h_;
    o.h_ = t;
    return *this;
  }
  ~Handle() {
    if (h_) Destroy(h_);
  }
  operator H() const { return h_; }
  H* put() { return &h_; }

 private:
  H h_ = nullptr;
};

using Stream = Handle<cudaStream_t, cudaStreamDestroy>;
using Event = Handle<cudaEvent_t, cudaEventDestroy>;

struct Throughput {
  float ms_per_fill = 0.0f;
  double gigabytes_per_second = 0.0;
};

// Fills arrays with several lanes at a time. Results are ready in the order
// of the stream that the generator was made with.
class Generator {
 public:
  Generator(std::unique_ptr<Engine> engine, std::uint64_t seed, int lanes, cudaStream_t stream);
  ~Generator();

  cudaError_t status() const { return status_; }
  cudaError_t fill(float* out, std::size_t count);

  // Steady-state rate of fill() over `repeats` rounds.
  cudaError_t measure(float* out, std::size_t count, int repeats, Throughput& result);

 private:
  struct Lane {
    Stream stream;
    Event done;
  };
  cudaError_t scatter(float* out, std::size_t count);
  cudaError_t gather();

  std::unique_ptr<Engine> engine_;
  std::uint64_t seed_;
  cudaStream_t main_;
  Event fork_, start_, stop_;
  std::vector<Lane> lanes_;
  cudaError_t status_ = cudaSuccess;
};

}  // namespace lrng
