#pragma once
// Per device resources that the filters share: streams and a block of pinned memory.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <utility>

namespace imgx {

void checkCuda(cudaError_t status);

class GpuResources {
 public:
  virtual ~GpuResources() = default;
  virtual cudaStream_t getDefaultStream() = 0;
  virtual cudaStream_t getAlternateStream() = 0;
  virtual std::pair<void*, std::size_t> getPinnedMemory() = 0;
  void syncDefaultStream() { checkCuda(cudaStreamSynchronize(getDefaultStream())); }
};

class StandardGpuResources final : public GpuResources {
 public:
  explicit StandardGpuResources(std::size_t pinnedBytes = 1 << 16);
  ~StandardGpuResources() override;
  StandardGpuResources(const StandardGpuResources&) = delete;
  StandardGpuResources& operator=(const StandardGpuResources&) = delete;

  cudaStream_t getDefaultStream() override { return default_; }
  cudaStream_t getAlternateStream() override { return alternate_; }
  std::pair<void*, std::size_t> getPinnedMemory() override { return {pinned_, pinnedBytes_}; }

 private:
  cudaStream_t default_ = nullptr;
  cudaStream_t alternate_ = nullptr;
  void* pinned_ = nullptr;
  std::size_t pinnedBytes_;
};

}  // namespace imgx
