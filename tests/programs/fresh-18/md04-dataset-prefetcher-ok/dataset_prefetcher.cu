#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace dataio {

#define DATAIO_CHECK(call)                                                             \
  do {                                                                                 \
    cudaError_t err__ = (call);                                                        \
    if (err__ != cudaSuccess) {                                                        \
      std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(err__)); \
      throw std::runtime_error(cudaGetErrorName(err__));                               \
    }                                                                                  \
  } while (false)

struct PinnedDeleter {
  void operator()(float* p) const noexcept { cudaFreeHost(p); }
};
struct DeviceDeleter {
  void operator()(float* p) const noexcept { cudaFree(p); }
};

// Fills `dst` with one batch of at most `capacity` floats; returns how many, 0 at the end.
using Loader = std::function<std::size_t(float* dst, std::size_t capacity)>;

struct Batch {
  const float* data;
  std::size_t count;
  int slot;
};

class Prefetcher {
 public:
  Prefetcher(Loader loader, std::size_t capacity, int depth = 3)
      : loader_(std::move(loader)), capacity_(capacity), slots_(static_cast<std::size_t>(depth)) {
    DATAIO_CHECK(cudaStreamCreateWithFlags(&copy_, cudaStreamNonBlocking));
    for (auto& s : slots_) {
      float* h = nullptr;
      float* d = nullptr;
      DATAIO_CHECK(cudaMallocHost(&h, capacity_ * sizeof(float)));
      s.host.reset(h);
      DATAIO_CHECK(cudaMalloc(&d, capacity_ * sizeof(float)));
      s.device.reset(d);
      DATAIO_CHECK(cudaEventCreateWithFlags(&s.uploaded, cudaEventDisableTiming));
      DATAIO_CHECK(cudaEventCreateWithFlags(&s.consumed, cudaEventDisableTiming));
    }
    while (in_flight_ < slots_.size() && stage()) {
    }
  }

  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  ~Prefetcher() {
    cudaStreamSynchronize(copy_);
    for (auto& s : slots_) {
      cudaEventSynchronize(s.consumed);
      cudaEventDestroy(s.uploaded);
      cudaEventDestroy(s.consumed);
    }
    cudaStreamDestroy(copy_);
  }

  // Next batch, usable by work submitted to `stream` from now on.
  std::optional<Batch> acquire(cudaStream_t stream) {
    if (ready_ == 0) return std::nullopt;
    const int i = head_;
    head_ = next(head_);
    --ready_;
    DATAIO_CHECK(cudaStreamWaitEvent(stream, slots_[i].uploaded, 0));
    return Batch{slots_[i].device.get(), slots_[i].count, i};
  }

  // The caller has submitted its last use of `batch` to `stream`. In acquisition order.
  void release(const Batch& batch, cudaStream_t stream) {
    DATAIO_CHECK(cudaEventRecord(slots_[batch.slot].consumed, stream));
    --in_flight_;
    stage();
  }

 private:
  struct Slot {
    std::unique_ptr<float, PinnedDeleter> host;
    std::unique_ptr<float, DeviceDeleter> device;
    cudaEvent_t uploaded = nullptr;
    cudaEvent_t consumed = nullptr;
    std::size_t count = 0;
  };

  int next(int i) const { return (i + 1) % static_cast<int>(slots_.size()); }

  bool stage() {
    if (exhausted_) return false;
    Slot& s = slots_[tail_];
    DATAIO_CHECK(cudaEventSynchronize(s.uploaded));
    s.count = loader_(s.host.get(), capacity_);
    if (s.count == 0) {
      exhausted_ = true;
      return false;
    }
    DATAIO_CHECK(cudaStreamWaitEvent(copy_, s.consumed, 0));
    DATAIO_CHECK(cudaMemcpyAsync(s.device.get(), s.host.get(), s.count * sizeof(float),
                                 cudaMemcpyHostToDevice, copy_));
    DATAIO_CHECK(cudaEventRecord(s.uploaded, copy_));
    tail_ = next(tail_);
    ++in_flight_;
    ++ready_;
    return true;
  }

  Loader loader_;
  std::size_t capacity_;
  std::vector<Slot> slots_;
  cudaStream_t copy_ = nullptr;
  int head_ = 0;
  int tail_ = 0;
  std::size_t in_flight_ = 0;
  std::size_t ready_ = 0;
  bool exhausted_ = false;
};

std::unique_ptr<Prefetcher> make_prefetcher(Loader loader, std::size_t capacity, int depth) {
  if (depth < 2) throw std::invalid_argument("depth must be at least 2");
  return std::make_unique<Prefetcher>(std::move(loader), capacity, depth);
}

}  // namespace dataio
