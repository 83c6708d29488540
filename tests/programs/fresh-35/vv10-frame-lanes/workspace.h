#pragma once
#include <cstdint>

#include "check.h"

namespace flume {

// Pool of scratch memory for all lanes.
class Workspace {
 public:
  Workspace() {
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    Check(cudaMemPoolCreate(&pool_, &props));
    std::uint64_t keep = UINT64_MAX;
    Check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold,
                                  &keep));
    int off = 0;
    Check(cudaMemPoolSetAttribute(
        pool_, cudaMemPoolReuseAllowInternalDependencies, &off));
  }
  ~Workspace() { cudaMemPoolDestroy(pool_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  template <typename T>
  class Scratch {
   public:
    Scratch(Workspace& ws, std::size_t n, cudaStream_t stream)
        : stream_(stream) {
      Check(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&data_),
                                    n * sizeof(T), ws.pool_, stream));
    }
    ~Scratch() { cudaFreeAsync(data_, stream_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    T* data() const { return data_; }

   private:
    T* data_ = nullptr;
    cudaStream_t stream_;
  };

 private:
  cudaMemPool_t pool_ = nullptr;
};

}  // namespace flume
