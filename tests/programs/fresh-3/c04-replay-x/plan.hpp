#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>

namespace sig {

class cuda_failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void ok(cudaError_t e) {
  if (e != cudaSuccess) throw cuda_failure(cudaGetErrorName(e));
}

template <typename T>
struct device_free {
  void operator()(T* p) const { cudaFree(p); }
};
template <typename T>
using device_ptr = std::unique_ptr<T[], device_free<T>>;

template <typename T>
device_ptr<T> make_device(std::size_t n) {
  T* p = nullptr;
  ok(cudaMalloc(reinterpret_cast<void**>(&p), n * sizeof(T)));
  return device_ptr<T>(p);
}

struct plan_config {
  int length = 1 << 16;
  float headroom = 0.9f;
  bool use_graph = true;
};

// Windows a block of samples and normalises it to its own peak. A plan is bound to its input and
// output buffers; execute() may be called any number of times.
class peak_plan {
 public:
  peak_plan(plan_config const& cfg, float const* in, float* out, cudaStream_t stream);
  ~peak_plan();
  peak_plan(peak_plan const&) = delete;
  peak_plan& operator=(peak_plan const&) = delete;

  void execute(cudaStream_t stream);

 private:
  void enqueue(cudaStream_t stream);
  void build(cudaStream_t stream);

  plan_config cfg_;
  float const* in_;
  float* out_;
  device_ptr<float> windowed_;
  device_ptr<float> peak_;
  device_ptr<unsigned char> temp_;
  std::size_t temp_bytes_ = 0;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace sig
