// Intermediate pictures in device memory, handed around between decoder, converter and encoder.
#pragma once

#include <cuda_runtime.h>

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace vidconv {

enum class Status { ok, cuda_error, bad_argument };

/// Device memory of one picture. It may be dropped while work of its stream still uses it.
class Surface {
 public:
  static std::unique_ptr<Surface> make(std::size_t bytes);
  ~Surface();
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  unsigned char* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  void attach(cudaStream_t stream) { stream_ = stream; }

 private:
  Surface(unsigned char* data, std::size_t bytes) : data_(data), bytes_(bytes) {}

  unsigned char* data_;
  std::size_t bytes_;
  cudaStream_t stream_ = nullptr;
};

using SurfacePtr = std::unique_ptr<Surface>;

/// A bounded set of surfaces of one size. Thread-safe. Surfaces come back by themselves when
/// the stream has passed the point of `retire`. The streams have to outlive the pool.
class SurfacePool {
 public:
  explicit SurfacePool(std::size_t limit) : limit_(limit) {}
  ~SurfacePool();
  SurfacePool(const SurfacePool&) = delete;
  SurfacePool& operator=(const SurfacePool&) = delete;

  /// New picture size; surfaces of other sizes are given up. May be called at any time.
  void reconfigure(std::size_t bytes);

  /// Waits for a surface where all of them are under way; null where memory is short.
  SurfacePtr acquire(cudaStream_t stream);

  Status retire(SurfacePtr surface, cudaStream_t stream);

  std::size_t idle() const;

 private:
  struct Ticket {
    SurfacePool* pool;
    SurfacePtr surface;
  };
  static void CUDART_CB on_passed(void* arg);
  void take_back(SurfacePtr surface);

  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<SurfacePtr> idle_;
  std::size_t bytes_ = 0;
  std::size_t out_ = 0;
};

}  // namespace vidconv
