// firchain: chains of short FIR filters over one signal, in one stream.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace firchain {

class failure : public std::runtime_error {
 public:
  failure(cudaError_t c, const char* where) : std::runtime_error(where), code(c) {}
  cudaError_t code;
};

namespace detail {
inline void expect(cudaError_t e, const char* where) {
  if (e != cudaSuccess) throw failure(e, where);
}
}  // namespace detail

constexpr int max_taps = 32;

/// Coefficients of one filter, with the gain applied to its output.
struct taps {
  float c[max_taps] = {};
  int count = 0;
  float gain = 1.0f;

  taps() = default;
  taps(std::initializer_list<float> l, float g = 1.0f) : gain(g) {
    if (l.size() > std::size_t(max_taps)) throw std::length_error("taps");
    for (float x : l) c[count++] = x;
  }
};

template <class T>
struct span {
  T* data = nullptr;
  std::size_t size = 0;
};

/// How one filter is run. A back end belongs to one chain, and so to one stream.
class backend {
 public:
  virtual ~backend() = default;
  virtual std::string_view name() const = 0;
  virtual void run(const taps& t, span<const float> in, span<float> out, cudaStream_t stream) = 0;
};

enum class method { direct, tiled };

std::unique_ptr<backend> make_backend(method m);

/// A sequence of filters with the intermediate storage it needs.
class chain {
 public:
  chain(std::size_t max_samples, cudaStream_t stream, method m = method::tiled);
  ~chain();
  chain(const chain&) = delete;
  chain& operator=(const chain&) = delete;

  chain& then(const taps& t) {
    stages_.push_back(t);
    return *this;
  }
  std::size_t stages() const { return stages_.size(); }

  /// Enqueues the whole chain in the chain's stream. Allocates nothing and never waits; may be
  /// called while that stream is being captured, and the graph replayed while the chain exists.
  void enqueue(span<const float> in, span<float> out);

 private:
  cudaStream_t stream_;
  std::size_t max_samples_;
  std::unique_ptr<backend> backend_;
  std::vector<taps> stages_;
  float* scratch_[2] = {nullptr, nullptr};
};

}  // namespace firchain
