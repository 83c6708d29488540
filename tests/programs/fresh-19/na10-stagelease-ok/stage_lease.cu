// stage_lease.cu - uploads of host-generated data through a cache of pinned buffers.
//
// Uploader::upload() calls `fill` on the calling thread with a pinned buffer and
// then enqueues the copy to d_dst on `stream`. It returns without waiting. Safe to
// call from several host threads, each with streams of its own. The StagingCache
// must outlive the streams' use of it. Not for use in stream capture.
#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace stage {

struct CudaError : std::runtime_error {
  explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorString(e)) {}
};
inline void ok(cudaError_t e) {
  if (e != cudaSuccess) throw CudaError(e);
}

class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::size_t bytes) : bytes_(bytes) {
    ok(cudaEventCreateWithFlags(&idle_, cudaEventDisableTiming));
    cudaError_t e = cudaMallocHost(&data_, bytes);
    if (e != cudaSuccess) {
      cudaEventDestroy(idle_);
      throw CudaError(e);
    }
  }
  ~PinnedBuffer() {
    cudaEventSynchronize(idle_);
    cudaFreeHost(data_);
    cudaEventDestroy(idle_);
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  void mark(cudaStream_t s) { ok(cudaEventRecord(idle_, s)); }
  bool idle() const {
    cudaError_t e = cudaEventQuery(idle_);
    if (e == cudaErrorNotReady) {
      (void)cudaGetLastError();
      return false;
    }
    ok(e);
    return true;
  }
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
  cudaEvent_t idle_ = nullptr;
};

class StagingCache {
 public:
  using Ptr = std::unique_ptr<PinnedBuffer>;

  // Gives its buffer back to the cache at the end of its scope.
  class Lease {
   public:
    Lease(StagingCache& home, Ptr buf) : home_(&home), buf_(std::move(buf)) {}
    Lease(Lease&&) = default;
    ~Lease() {
      if (buf_) home_->put(std::move(buf_));
    }
    void in_use_by(cudaStream_t s) { buf_->mark(s); }
    void* data() const { return buf_->data(); }

   private:
    StagingCache* home_;
    Ptr buf_;
  };

  Lease take(std::size_t bytes) {
    {
      std::lock_guard<std::mutex> g(mu_);
      for (auto it = shelf_.begin(); it != shelf_.end(); ++it) {
        if ((*it)->bytes() >= bytes && (*it)->idle()) {
          Ptr p = std::move(*it);
          shelf_.erase(it);
          return Lease(*this, std::move(p));
        }
      }
    }
    return Lease(*this, std::make_unique<PinnedBuffer>(bytes));
  }

 private:
  void put(Ptr p) {
    std::lock_guard<std::mutex> g(mu_);
    shelf_.push_back(std::move(p));
  }

  std::mutex mu_;
  std::list<Ptr> shelf_;
};

class Uploader {
 public:
  using Fill = std::function<void(float* dst, std::size_t count)>;

  explicit Uploader(StagingCache& cache) : cache_(cache) {}

  void upload(float* d_dst, std::size_t count, const Fill& fill, cudaStream_t stream) {
    if (count == 0) return;
    const std::size_t bytes = count * sizeof(float);
    StagingCache::Lease lease = cache_.take(bytes);
    fill(static_cast<float*>(lease.data()), count);
    ok(cudaMemcpyAsync(d_dst, lease.data(), bytes, cudaMemcpyHostToDevice, stream));
    lease.in_use_by(stream);
  }

 private:
  StagingCache& cache_;
};

}  // namespace stage
