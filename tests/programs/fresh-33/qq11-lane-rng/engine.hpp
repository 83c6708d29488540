#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lrng {

enum class Kind { SplitMix = 0, Lehmer = 1 };

// Writes `count` numbers of sequence `lane` to device memory.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual cudaError_t generate(float* out, std::size_t count, std::uint64_t seed, int lane,
                               cudaStream_t stream) const = 0;
};

std::unique_ptr<Engine> make_engine(Kind kind);

}  // namespace lrng
