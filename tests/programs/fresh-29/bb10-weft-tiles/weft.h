// weft: execution spaces, scratch memory and parallel patterns.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

namespace weft {

struct Failure : std::runtime_error {
  explicit Failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw Failure(e);
}

namespace detail {
struct SpaceImpl;
}

/// An instance of the device: work given to one Space runs in order, different Spaces are
/// independent. Copies of a Space refer to the same instance.
class Space {
 public:
  Space();

  cudaStream_t stream() const;

  /// Work given to this space from now on starts after all that `other` has been given so far.
  void after(const Space& other) const;

  void fence() const;

  void* scratch_allocate(std::size_t bytes) const;
  void scratch_release(void* p) const noexcept;

 private:
  std::shared_ptr<detail::SpaceImpl> impl_;
};

std::vector<Space> partition(int count);

/// Device memory for intermediate values of one space. May go out of scope while work that uses it
/// is still under way in that space.
template <class T>
class Scratch {
 public:
  Scratch(const Space& space, std::size_t n)
      : space_(space), data_(static_cast<T*>(space.scratch_allocate(n * sizeof(T)))), size_(n) {}
  ~Scratch() { space_.scratch_release(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  Space space_;
  T* data_;
  std::size_t size_;
};

/// Host side scalars that reductions write to.
template <class T>
class HostScalars {
 public:
  explicit HostScalars(std::size_t n) { check(cudaHostAlloc(reinterpret_cast<void**>(&data_), n * sizeof(T), cudaHostAllocDefault)); }
  ~HostScalars() { cudaFreeHost(data_); }
  HostScalars(const HostScalars&) = delete;
  HostScalars& operator=(const HostScalars&) = delete;
  T* at(std::size_t i) const { return data_ + i; }

 private:
  T* data_ = nullptr;
};

}  // namespace weft
