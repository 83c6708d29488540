#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace galerkin {

struct CudaFailure : std::runtime_error {
  CudaFailure(cudaError_t err, const char *file, int line)
      : std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + cudaGetErrorString(err)), err(err) {}
  cudaError_t err;
};

#define GK_CHECK(call) \
  { \
    cudaError_t gk_err = (call); \
    if (gk_err != cudaSuccess) throw ::galerkin::CudaFailure(gk_err, __FILE__, __LINE__); \
  }

// What a solver runs on. Each handle of the C interface owns one.
class Resources {
 public:
  Resources() { GK_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Resources(const Resources &) = delete;
  ~Resources() { cudaStreamDestroy(stream_); }
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// Pinned memory that goes to the device asynchronously and is written again by the host.
class Staging {
 public:
  explicit Staging(size_t count) {
    GK_CHECK(cudaMallocHost(reinterpret_cast<void **>(&host_), count * sizeof(double)));
    GK_CHECK(cudaEventCreateWithFlags(&taken_, cudaEventDisableTiming));
  }
  Staging(const Staging &) = delete;
  ~Staging() {
    cudaEventSynchronize(taken_);
    cudaEventDestroy(taken_);
    cudaFreeHost(host_);
  }
  void send(const std::vector<double> &from, double *to, cudaStream_t stream) {
    GK_CHECK(cudaEventSynchronize(taken_));
    std::copy(from.begin(), from.end(), host_);
    GK_CHECK(cudaMemcpyAsync(to, host_, from.size() * sizeof(double), cudaMemcpyHostToDevice, stream));
    GK_CHECK(cudaEventRecord(taken_, stream));
  }

 private:
  double *host_ = nullptr;
  cudaEvent_t taken_ = nullptr;
};

class Vector {
 public:
  explicit Vector(size_t size) : size_(size) { GK_CHECK(cudaMalloc(&data_, size * sizeof(double))); }
  Vector(Vector &&other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  Vector(const Vector &) = delete;
  ~Vector() { cudaFree(data_); }
  double *raw() const { return data_; }
  int size() const { return static_cast<int>(size_); }

 private:
  double *data_ = nullptr;
  size_t size_;
};

// Scratch memory of the process, lent to one solver after the other.
class SharedWorkspace {
 public:
  static SharedWorkspace &instance() {
    static SharedWorkspace *workspace = new SharedWorkspace();
    return *workspace;
  }

  void reserve(size_t count) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (count <= count_) return;
    GK_CHECK(cudaFree(data_));
    GK_CHECK(cudaMalloc(&data_, count * sizeof(double)));
    count_ = count;
  }

  class Lease {
   public:
    explicit Lease(cudaStream_t stream) : owner_(instance()), lock_(owner_.mutex_), stream_(stream) {
      GK_CHECK(cudaStreamWaitEvent(stream_, owner_.returned_, 0));
    }
    ~Lease() { cudaEventRecord(owner_.returned_, stream_); }
    double *data() const { return owner_.data_; }

   private:
    SharedWorkspace &owner_;
    std::lock_guard<std::mutex> lock_;
    cudaStream_t stream_;
  };

 private:
  SharedWorkspace() { GK_CHECK(cudaEventCreateWithFlags(&returned_, cudaEventDisableTiming)); }

  std::mutex mutex_;
  cudaEvent_t returned_ = nullptr;
  double *data_ = nullptr;
  size_t count_ = 0;
};

}  // namespace galerkin
