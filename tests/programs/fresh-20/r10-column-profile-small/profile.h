#pragma once
// Column statistics of a data frame: types, options and host side buffers.
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace frame {
inline void abort_on(cudaError_t status, const char* expression) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "frame: %s failed\n", expression);
  std::printf("ERROR %s\n", cudaGetErrorName(status));
  std::quick_exit(std::fflush(stdout) ? 3 : 2);
}
#define FRAME_TRY(...) ::frame::abort_on((__VA_ARGS__), #__VA_ARGS__)

enum class ColumnType { int32, int64, float64 };

#define FRAME_TYPE_CASE(tag, type, ...) \
  case ::frame::ColumnType::tag: {      \
    using value_t = type;               \
    __VA_ARGS__                         \
  } break;
#define FRAME_FOR_TYPE(type, ...)                  \
  switch (type) {                                  \
    FRAME_TYPE_CASE(int32, int32_t, __VA_ARGS__)   \
    FRAME_TYPE_CASE(int64, int64_t, __VA_ARGS__)   \
    FRAME_TYPE_CASE(float64, double, __VA_ARGS__)  \
  }

struct ProfileOptions {
  int rows = 32 * 1024;
  int64_t scan_cost_ns = 60'000'000;  ///< modelled cost of scanning a full size column
  size_t pin_at_least = 4096;         ///< smaller host buffers come from the heap
};

/// What is known of a column once it has been scanned.
struct Summary {
  double sum;
  double low;
  double high;
  int64_t rows;
};

enum class Placement { automatic, heap, pinned };

/// Uninitialised host memory; large buffers are page locked, small ones are not.
template <typename T>
class HostBuffer {
 public:
  HostBuffer() = default;
  HostBuffer(size_t count, const ProfileOptions& options,
             Placement placement = Placement::automatic) {
    const size_t bytes = count * sizeof(T);
    pinned_ = placement == Placement::pinned ||
              (placement == Placement::automatic && bytes >= options.pin_at_least);
    if (pinned_)
      FRAME_TRY(cudaMallocHost(&data_, bytes));
    else
      data_ = static_cast<T*>(std::malloc(bytes));
  }
  HostBuffer(HostBuffer&& o) noexcept { *this = std::move(o); }
  HostBuffer& operator=(HostBuffer&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(pinned_, o.pinned_);
    return *this;
  }
  ~HostBuffer() { pinned_ ? static_cast<void>(cudaFreeHost(data_)) : std::free(data_); }
  T* data() const { return data_; }
  const T& operator[](size_t i) const { return data_[i]; }
 private:
  T* data_ = nullptr;
  bool pinned_ = false;
};
}  // namespace frame
