// Per-stream caching device allocator. Blocks are handed back to the list of
// the stream they were allocated for; use on further streams is declared with
// record_use().
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#define POOL_CHECK(expr)                                                     \
  do {                                                                       \
    cudaError_t e_ = (expr);                                                 \
    if (e_ != cudaSuccess) {                                                 \
      std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__,                 \
                   cudaGetErrorString(e_));                                  \
      std::exit(1);                                                          \
    }                                                                        \
  } while (0)

namespace mem {

struct Block {
  void* ptr = nullptr;
  size_t bytes = 0;
  cudaStream_t stream = nullptr;
  std::set<cudaStream_t> uses;
};

class CachingPool {
 public:
  CachingPool() { POOL_CHECK(cudaEventCreateWithFlags(&ev_, cudaEventDisableTiming)); }
  CachingPool(const CachingPool&) = delete;
  CachingPool& operator=(const CachingPool&) = delete;
  ~CachingPool() {
    cudaDeviceSynchronize();
    for (auto& kv : cached_)
      for (auto& b : kv.second) cudaFree(b->ptr);
    for (auto& kv : live_) cudaFree(kv.first);
    cudaEventDestroy(ev_);
  }

  void* allocate(size_t bytes, cudaStream_t stream) {
    const size_t rounded = (bytes + 511) / 512 * 512;
    std::lock_guard<std::mutex> lock(mu_);
    auto& bucket = cached_[{stream, rounded}];
    std::unique_ptr<Block> blk;
    if (!bucket.empty()) {
      blk = std::move(bucket.back());
      bucket.pop_back();
      ++hits_;
    } else {
      blk = std::make_unique<Block>();
      blk->bytes = rounded;
      blk->stream = stream;
      POOL_CHECK(cudaMalloc(&blk->ptr, rounded));
    }
    void* p = blk->ptr;
    live_[p] = std::move(blk);
    return p;
  }

  void record_use(void* p, cudaStream_t stream) {
    std::lock_guard<std::mutex> lock(mu_);
    auto& blk = live_.at(p);
    if (stream != blk->stream) blk->uses.insert(stream);
  }

  void release(void* p) {
    std::lock_guard<std::mutex> lock(mu_);
    auto it = live_.find(p);
    if (it == live_.end()) return;
    std::unique_ptr<Block> blk = std::move(it->second);
    live_.erase(it);
    for (cudaStream_t s : blk->uses) {
      POOL_CHECK(cudaEventRecord(ev_, s));
      POOL_CHECK(cudaStreamWaitEvent(blk->stream, ev_, 0));
    }
    blk->uses.clear();
    cached_[{blk->stream, blk->bytes}].push_back(std::move(blk));
  }

  size_t hits() const { return hits_; }

 private:
  std::mutex mu_;
  std::map<std::pair<cudaStream_t, size_t>, std::vector<std::unique_ptr<Block>>> cached_;
  std::unordered_map<void*, std::unique_ptr<Block>> live_;
  cudaEvent_t ev_{};
  size_t hits_ = 0;
};

}  // namespace mem

__global__ void fill(float* p, int n, float v) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = v;
}

__global__ void accumulate(const float* p, int n, float* out) {
  float s = 0.f;
  for (int r = 0; r < 64; ++r)
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += p[i];
  atomicAdd(out, s);
}

int main() {
  const int n = 1 << 20;
  cudaStream_t a, b;
  cudaEvent_t filled;
  POOL_CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  POOL_CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  POOL_CHECK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
  mem::CachingPool pool;
  float* sum = static_cast<float*>(pool.allocate(sizeof(float), b));
  POOL_CHECK(cudaMemsetAsync(sum, 0, sizeof(float), b));
  for (int it = 0; it < 4; ++it) {
    float* x = static_cast<float*>(pool.allocate(n * sizeof(float), a));
    fill<<<64, 256, 0, a>>>(x, n, 1.0f + it);
    POOL_CHECK(cudaEventRecord(filled, a));
    POOL_CHECK(cudaStreamWaitEvent(b, filled, 0));
    accumulate<<<16, 128, 0, b>>>(x, n, sum);
    pool.record_use(x, b);
    pool.release(x);
  }
  float h = 0.f;
  POOL_CHECK(cudaMemcpyAsync(&h, sum, sizeof h, cudaMemcpyDeviceToHost, b));
  POOL_CHECK(cudaStreamSynchronize(b));
  std::printf("sum %.0f hits %zu\n", h, pool.hits());
  pool.release(sum);
  return 0;
}
