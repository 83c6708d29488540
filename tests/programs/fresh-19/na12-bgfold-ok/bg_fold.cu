// bg_fold.cu - background accumulation of sample blocks.
//
// add() snapshots the caller's samples on the caller's stream and folds them into a
// running total on a private stream; the caller's stream only waits for the snapshot.
// total() blocks and returns the sum so far. The object may be destroyed at any time
// after the caller's own streams have been waited for.
//
// Memory comes from an Allocator; several accumulators may share one. Single thread.
#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace fold {

inline void must(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

// Memory handed to deallocate() must be idle: it can be given out again at once.
class Allocator {
 public:
  virtual ~Allocator() = default;
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* p, std::size_t bytes) noexcept = 0;
};

class RecyclingAllocator final : public Allocator {
 public:
  ~RecyclingAllocator() override {
    for (auto& kv : idle_)
      for (void* p : kv.second) cudaFree(p);
  }
  void* allocate(std::size_t bytes) override {
    std::lock_guard<std::mutex> g(mu_);
    auto& v = idle_[bytes];
    if (!v.empty()) {
      void* p = v.back();
      v.pop_back();
      return p;
    }
    void* p = nullptr;
    must(cudaMalloc(&p, bytes));
    return p;
  }
  void deallocate(void* p, std::size_t bytes) noexcept override {
    if (!p) return;
    std::lock_guard<std::mutex> g(mu_);
    idle_[bytes].push_back(p);
  }

 private:
  std::mutex mu_;
  std::map<std::size_t, std::vector<void*>> idle_;
};

__global__ void fold_kernel(const float* __restrict__ x, int n, double* __restrict__ lanes,
                            int sweeps) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double acc = lanes[t];
  for (int s = 0; s < sweeps; ++s)
    for (int i = t; i < n; i += gridDim.x * blockDim.x) acc += x[i];
  lanes[t] = acc;
}

class Accumulator {
  static constexpr int kGrid = 16, kBlock = 128, kLanes = kGrid * kBlock;

 public:
  Accumulator(Allocator& mem, int max_samples, int sweeps = 1)
      : mem_(mem), max_(max_samples), sweeps_(sweeps) {
    must(cudaStreamCreateWithFlags(&work_, cudaStreamNonBlocking));
    must(cudaEventCreateWithFlags(&staged_, cudaEventDisableTiming));
    must(cudaEventCreateWithFlags(&folded_, cudaEventDisableTiming));
    stage_ = static_cast<float*>(mem_.allocate(stage_bytes()));
    lanes_ = static_cast<double*>(mem_.allocate(lane_bytes()));
    must(cudaMemsetAsync(lanes_, 0, lane_bytes(), work_));
  }

  Accumulator(const Accumulator&) = delete;
  Accumulator& operator=(const Accumulator&) = delete;

  ~Accumulator() {
    cudaStreamSynchronize(work_);
    mem_.deallocate(lanes_, lane_bytes());
    mem_.deallocate(stage_, stage_bytes());
    cudaEventDestroy(folded_);
    cudaEventDestroy(staged_);
    cudaStreamDestroy(work_);
  }

  void add(const float* d_samples, int n, cudaStream_t stream) {
    if (n < 0 || n > max_) throw std::out_of_range("samples");
    if (n == 0) return;
    must(cudaStreamWaitEvent(stream, folded_, 0));
    must(cudaMemcpyAsync(stage_, d_samples, sizeof(float) * n, cudaMemcpyDeviceToDevice,
                         stream));
    must(cudaEventRecord(staged_, stream));
    must(cudaStreamWaitEvent(work_, staged_, 0));
    fold_kernel<<<kGrid, kBlock, 0, work_>>>(stage_, n, lanes_, sweeps_);
    must(cudaGetLastError());
    must(cudaEventRecord(folded_, work_));
  }

  double total() {
    std::vector<double> h(kLanes);
    must(cudaMemcpyAsync(h.data(), lanes_, lane_bytes(), cudaMemcpyDeviceToHost, work_));
    must(cudaStreamSynchronize(work_));
    double s = 0;
    for (double v : h) s += v;
    return s;
  }

 private:
  std::size_t stage_bytes() const { return sizeof(float) * static_cast<std::size_t>(max_); }
  static constexpr std::size_t lane_bytes() { return sizeof(double) * kLanes; }

  Allocator& mem_;
  int max_, sweeps_;
  cudaStream_t work_ = nullptr;
  cudaEvent_t staged_ = nullptr, folded_ = nullptr;
  float* stage_ = nullptr;
  double* lanes_ = nullptr;
};

}  // namespace fold
