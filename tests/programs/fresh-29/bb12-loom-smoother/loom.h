// loom: smoothers for banded systems. A Smoother keeps recorded sweeps for the levels it has seen.
#pragma once

#include <cuda_runtime.h>

#include <list>
#include <stdexcept>
#include <unordered_map>

namespace loom {

struct Error : std::runtime_error {
  explicit Error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw Error(e);
}

/// One level of the hierarchy: x and b are of the caller, on the device, and stay where they are.
struct Level {
  int id = 0;
  int n = 0;
  int* x = nullptr;
  const int* b = nullptr;
  int* residual = nullptr;  // sum |b - x| before the sweep
};

struct SweepParams {
  int weight = 1;
  int shift = 0;
};

/// x <- b + weight * rotate(x, 1) + shift. One thread at a time uses a Smoother.
class Smoother {
 public:
  explicit Smoother(std::size_t max_recorded = 2);
  ~Smoother();
  Smoother(const Smoother&) = delete;
  Smoother& operator=(const Smoother&) = delete;

  /// Queues one sweep on `stream`. `params` is not needed any more on return. Sweeps of one level run
  /// in the order of the calls, whatever their streams.
  void sweep(const Level& level, const SweepParams& params, cudaStream_t stream);

  /// Forgets a level. Its x, b and residual may be freed on return.
  void forget(int level_id);

  std::size_t recorded() const { return lru_.size(); }

 private:
  struct Recorded {
    Level level;
    cudaGraphExec_t exec = nullptr;
    cudaEvent_t done = nullptr;
    SweepParams* h_params = nullptr;
    SweepParams* d_params = nullptr;
    int* next = nullptr;
  };
  using Lru = std::list<Recorded>;

  Recorded& lookup(const Level& level);
  void record(Recorded& r);
  static void discard(Recorded& r);

  std::size_t max_recorded_;
  Lru lru_;
  std::unordered_map<int, Lru::iterator> index_;
  cudaStream_t main_ = nullptr;
  cudaStream_t side_ = nullptr;
  cudaEvent_t fork_ = nullptr;
  cudaEvent_t join_ = nullptr;
};

}  // namespace loom
