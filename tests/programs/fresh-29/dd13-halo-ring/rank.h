#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace halo {

struct Failure : std::runtime_error {
  explicit Failure(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)) {}
  explicit Failure(const char* what) : std::runtime_error(what) {}
};

inline void ensure(cudaError_t c) {
  if (c != cudaSuccess) throw Failure(c);
}

// A counter that one rank raises and its neighbours watch.
class Signal {
 public:
  void raise(int time) { time_.store(time, std::memory_order_release); }
  bool reached(int time) const { return time_.load(std::memory_order_acquire) >= time; }

 private:
  alignas(64) std::atomic<int> time_{0};
};

__host__ __device__ inline unsigned stencil(unsigned l, unsigned c, unsigned r, int time) {
  return l * 3u + c * 5u + r * 7u + static_cast<unsigned>(time);
}

// One part of a periodic domain, driven by a thread of its own. State at time
// t lies in buffer t % 2; cells 0 and n + 1 mirror the neighbours' outermost
// cells. The outermost cells are computed on the edge stream, the others on the
// bulk stream.
class Rank {
 public:
  Rank(int id, const std::vector<unsigned>& cells, unsigned left, unsigned right);
  ~Rank();
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  void connect(Rank* left, Rank* right, std::atomic<bool>* stop);
  void advance(int steps);
  std::vector<unsigned> download(int time) const;
  int cells() const { return n_; }

 private:
  struct Publication {
    Signal posted;
    Signal fetched;
    cudaEvent_t edge_ready[2] = {};
    cudaEvent_t fetch_done[2] = {};
  };

  void step(int time);
  void await(const Signal& s, int time) const;
  void fetch_halo(int time);
  unsigned* at(int time) const { return buffer_[time % 2]; }

  const int id_;
  const int n_;
  unsigned* buffer_[2] = {};
  cudaStream_t bulk_ = nullptr;
  cudaStream_t edge_ = nullptr;
  cudaEvent_t bulk_ready_ = nullptr;
  Publication pub_;
  Rank* left_ = nullptr;
  Rank* right_ = nullptr;
  std::atomic<bool>* stop_ = nullptr;
};

}  // namespace halo
