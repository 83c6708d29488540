#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

namespace nn {
class GpuException : public std::runtime_error {
 public:
  explicit GpuException(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

#define NN_VERIFY(X)                                    \
  do {                                                  \
    const cudaError_t nn_err = (X);                     \
    if (nn_err != cudaSuccess) throw nn::GpuException(nn_err); \
  } while (0)

struct DeviceDeleter {
  void operator()(void* p) const { cudaFree(p); }
};
template <class T>
using DevicePtr = std::unique_ptr<T, DeviceDeleter>;

template <class T>
DevicePtr<T> deviceAlloc(std::size_t count) {
  void* p = nullptr;
  NN_VERIFY(cudaMalloc(&p, count * sizeof(T)));
  return DevicePtr<T>(static_cast<T*>(p));
}

// Pinned pages that carry pageable host data to the device.
class StagingRing {
 public:
  StagingRing(std::size_t pageBytes, int pages);
  ~StagingRing();
  StagingRing(const StagingRing&) = delete;
  StagingRing& operator=(const StagingRing&) = delete;
  std::size_t pageBytes() const { return pageBytes_; }
  void upload(void* dst, const void* src, std::size_t bytes, cudaStream_t stream);

 private:
  struct Page {
    void* host = nullptr;
    cudaEvent_t uploaded = nullptr;
  };
  Page& acquire();
  std::size_t pageBytes_;
  std::vector<Page> pages_;
  std::size_t next_ = 0;
};

// What indices share on one device.
class GpuResources {
 public:
  virtual ~GpuResources() = default;
  virtual cudaStream_t defaultStream() = 0;
  virtual StagingRing& staging() = 0;
};

class StandardGpuResources final : public GpuResources {
 public:
  explicit StandardGpuResources(std::size_t pageBytes = std::size_t{1} << 18) : staging_(pageBytes, 2) {
    NN_VERIFY(cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking));
    stream_ = own_;
  }
  ~StandardGpuResources() override { cudaStreamDestroy(own_); }
  void setDefaultStream(cudaStream_t s) { stream_ = s; }
  cudaStream_t defaultStream() override { return stream_; }
  StagingRing& staging() override { return staging_; }

 private:
  StagingRing staging_;
  cudaStream_t own_ = nullptr;
  cudaStream_t stream_ = nullptr;
};
}  // namespace nn
