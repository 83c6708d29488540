#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace relax {

inline void ok(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorName(status));
}

struct Domain {
  int width = 512;
  int height = 512;
  int rim = 64;
  const float* field = nullptr;
  std::size_t cells() const { return static_cast<std::size_t>(width) * height; }
};

// One way to lay out a relaxation step on the device.
class Plan {
 public:
  virtual ~Plan() = default;
  virtual std::string name() const = 0;

  // Enqueues a step that begins when `stream` has come this far.
  virtual void step(cudaStream_t stream) = 0;

  // Lets `stream` continue only behind all steps so far, wherever they run.
  virtual void drain(cudaStream_t stream) = 0;

  virtual const float* result() const = 0;
};

enum class Layout { Whole, Banded, Overlapped };

std::unique_ptr<Plan> make_plan(Layout layout, const Domain& domain);

}  // namespace relax
