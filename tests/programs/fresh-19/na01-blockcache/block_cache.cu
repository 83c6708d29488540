// block_cache.cu - size-class cache of device blocks for a single device.
//
//   BlockCache cache;
//   void* p = cache.acquire(bytes, s1);   // usable by work enqueued on s1
//   ... enqueue work on s1 ...
//   cache.release(p, s1);                 // s1 is the last stream that used p
//
// release() does not block: the block may still be in use by work already
// enqueued on the stream given. acquire() does not block either. All member
// functions may be called from any host thread. Not for use in stream capture.
#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace blk {

inline void check(cudaError_t e, const char* what) {
  if (e != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
}

struct Block {
  void* ptr = nullptr;
  std::size_t bytes = 0;
  cudaEvent_t released = nullptr;
};

class BlockCache {
 public:
  BlockCache() = default;
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // Every block must have been released before the cache goes away.
  ~BlockCache() { trim(); }

  void* acquire(std::size_t bytes, cudaStream_t stream) {
    const std::size_t cls = size_class(bytes);
    std::lock_guard<std::mutex> lock(mu_);
    auto& shelf = shelves_[cls];
    if (!shelf.empty()) {
      std::unique_ptr<Block> b = std::move(shelf.back());
      shelf.pop_back();
      return hand_out(std::move(b));
    }
    auto fresh = std::make_unique<Block>();
    fresh->bytes = cls;
    check(cudaEventCreateWithFlags(&fresh->released, cudaEventDisableTiming),
          "cudaEventCreate");
    cudaError_t e = cudaMalloc(&fresh->ptr, cls);
    if (e != cudaSuccess) {
      cudaEventDestroy(fresh->released);
      check(e, "cudaMalloc");
    }
    ++misses_;
    return hand_out(std::move(fresh));
  }

  void release(void* p, cudaStream_t stream) {
    if (!p) return;
    std::lock_guard<std::mutex> lock(mu_);
    auto it = live_.find(p);
    if (it == live_.end()) throw std::invalid_argument("BlockCache: unknown block");
    std::unique_ptr<Block> b = std::move(it->second);
    live_.erase(it);
    check(cudaEventRecord(b->released, stream), "cudaEventRecord");
    shelves_[b->bytes].push_back(std::move(b));
  }

  // Returns every idle block to the driver.
  void trim() {
    std::lock_guard<std::mutex> lock(mu_);
    for (auto& kv : shelves_) {
      for (auto& b : kv.second) {
        cudaEventSynchronize(b->released);
        cudaFree(b->ptr);
        cudaEventDestroy(b->released);
      }
      kv.second.clear();
    }
  }

  std::size_t misses() const {
    std::lock_guard<std::mutex> lock(mu_);
    return misses_;
  }

 private:
  static std::size_t size_class(std::size_t n) {
    std::size_t c = 512;
    while (c < n) c <<= 1;
    return c;
  }

  void* hand_out(std::unique_ptr<Block> b) {
    void* p = b->ptr;
    live_.emplace(p, std::move(b));
    return p;
  }

  mutable std::mutex mu_;
  std::map<std::size_t, std::vector<std::unique_ptr<Block>>> shelves_;
  std::unordered_map<void*, std::unique_ptr<Block>> live_;
  std::size_t misses_ = 0;
};

// out[i] = sum of x[i-1], x[i], x[i+1], applied `rounds` times.
__global__ void blur3(const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float l = i > 0 ? x[i - 1] : 0.f;
  float r = i + 1 < n ? x[i + 1] : 0.f;
  y[i] = (l + x[i] + r) * (1.f / 3.f);
}

// In-place smoothing of d_x on `stream`; scratch comes from the cache.
void smooth(BlockCache& cache, float* d_x, int n, int rounds, cudaStream_t stream) {
  if (n <= 0) return;
  auto* tmp = static_cast<float*>(cache.acquire(sizeof(float) * n, stream));
  const int tpb = 256, grid = (n + tpb - 1) / tpb;
  for (int r = 0; r < rounds; ++r) {
    blur3<<<grid, tpb, 0, stream>>>(d_x, tmp, n);
    blur3<<<grid, tpb, 0, stream>>>(tmp, d_x, n);
  }
  cudaError_t e = cudaGetLastError();
  cache.release(tmp, stream);
  check(e, "blur3");
}

}  // namespace blk
