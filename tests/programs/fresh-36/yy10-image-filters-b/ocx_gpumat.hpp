#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ocx {

template <typename T>
using Ptr = std::shared_ptr<T>;

struct Exception : std::runtime_error {
  Exception(cudaError_t c, const char* func) : std::runtime_error(std::string(func) + ": " + cudaGetErrorString(c)), code(c) {}
  cudaError_t code;
};

#define ocxCudaSafeCall(expr) \
  do { \
    cudaError_t ocx_err = (expr); \
    if (ocx_err != cudaSuccess) throw ocx::Exception(ocx_err, __func__); \
  } while (0)

namespace cuda {

class Stream;

// Matrix of floats on the device; copies share the data.
class GpuMat {
 public:
  class Allocator {
   public:
    virtual ~Allocator() {}
    virtual float* allocate(std::size_t bytes) = 0;
    virtual void free(float* data, std::size_t bytes) = 0;
  };
  static Allocator* defaultAllocator();

  GpuMat(int r, int c, Allocator* a = defaultAllocator()) : allocator_(a) { create(r, c); }

  // Does nothing for a matrix that has this size already.
  void create(int r, int c) {
    if (block_ && rows == r && cols == c) return;
    const std::size_t bytes = ((static_cast<std::size_t>(r) * c * sizeof(float)) + 255) & ~std::size_t(255);
    Allocator* a = allocator_;
    block_ = Ptr<float>(a->allocate(bytes), [a, bytes](float* p) { a->free(p, bytes); });
    rows = r;
    cols = c;
  }
  float* data() const { return block_.get(); }
  void upload(const std::vector<float>& host, Stream& stream);
  void download(std::vector<float>& host, Stream& stream) const;

  int rows = 0, cols = 0;

 private:
  Allocator* allocator_;
  Ptr<float> block_;
};

class Stream {
 public:
  explicit Stream(std::size_t poolBytes = std::size_t(32) << 20);
  void waitForCompletion();

  class Impl;

 private:
  friend struct StreamAccessor;
  friend class BufferPool;
  Ptr<Impl> impl_;
};

struct StreamAccessor {
  static cudaStream_t getStream(const Stream& stream);
};

// Temporaries of one stream, from its stack.
class BufferPool {
 public:
  explicit BufferPool(Stream& stream);
  GpuMat getBuffer(int rows, int cols) { return GpuMat(rows, cols, allocator_); }

 private:
  GpuMat::Allocator* allocator_;
};

}  // namespace cuda
}  // namespace ocx
