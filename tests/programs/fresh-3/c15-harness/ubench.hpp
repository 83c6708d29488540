#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

namespace ubench {

struct failure {
  cudaError_t code;
};

inline void verify(cudaError_t e) {
  if (e != cudaSuccess) throw failure{e};
}

class gpu_timer {
 public:
  explicit gpu_timer(cudaStream_t stream);
  ~gpu_timer();
  gpu_timer(gpu_timer const&) = delete;
  gpu_timer& operator=(gpu_timer const&) = delete;

  void start() { verify(cudaEventRecord(begin_, stream_)); }
  void stop() { verify(cudaEventRecord(end_, stream_)); }
  float milliseconds() const;

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

struct options {
  int warmups = 2;
  int samples = 5;
  bool flush_l2 = true;
};

struct measurement {
  std::string name;
  double median_ms = 0;
  double min_ms = 0;
  double bytes_per_second = 0;
};

using body = std::function<void(cudaStream_t)>;

// Runs benchmark bodies on a stream of the caller and reports steady-state GPU times.
class runner {
 public:
  explicit runner(options const& opt);
  ~runner();
  runner(runner const&) = delete;
  runner& operator=(runner const&) = delete;

  measurement run(std::string name, double bytes, body const& fn, cudaStream_t stream);

 private:
  void evict_cache(cudaStream_t stream);

  options opt_;
  cudaStream_t stream_ = nullptr;
  void* l2_scratch_ = nullptr;
  std::size_t l2_bytes_ = 0;
};

}  // namespace ubench
