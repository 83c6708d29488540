// Asynchronous byte-histogram service with completion callbacks.
#include <cuda_runtime.h>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

static void must(cudaError_t e) {
  if (e != cudaSuccess) {
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(e));
    std::exit(EXIT_FAILURE);
  }
}

__global__ void hist256(const uint8_t* data, size_t n, uint32_t* bins) {
  __shared__ uint32_t local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

class HistService {
 public:
  using Bins = std::array<uint32_t, 256>;
  using Callback = std::function<void(const Bins&)>;

  explicit HistService(int slots) {
    must(cudaStreamCreateWithFlags(&compute_, cudaStreamNonBlocking));
    must(cudaStreamCreateWithFlags(&copy_, cudaStreamNonBlocking));
    for (int i = 0; i < slots; ++i) {
      auto r = std::make_unique<Request>();
      r->owner = this;
      must(cudaMalloc(&r->dev, sizeof(Bins)));
      must(cudaMallocHost(&r->host, sizeof(Bins)));
      must(cudaEventCreateWithFlags(&r->counted, cudaEventDisableTiming));
      idle_.push_back(r.get());
      all_.push_back(std::move(r));
    }
  }

  ~HistService() {
    drain();
    for (auto& r : all_) {
      cudaFree(r->dev);
      cudaFreeHost(r->host);
      cudaEventDestroy(r->counted);
    }
    cudaStreamDestroy(copy_);
    cudaStreamDestroy(compute_);
  }

  // `input` must be complete on the device and stay valid until the callback.
  void submit(const uint8_t* input, size_t n, Callback cb) {
    Request* r = acquire();
    r->cb = std::move(cb);
    must(cudaMemsetAsync(r->dev, 0, sizeof(Bins), compute_));
    hist256<<<64, 256, 0, compute_>>>(input, n, r->dev);
    must(cudaGetLastError());
    must(cudaEventRecord(r->counted, compute_));
    must(cudaStreamWaitEvent(copy_, r->counted, 0));
    must(cudaMemcpyAsync(r->host, r->dev, sizeof(Bins), cudaMemcpyDeviceToHost, copy_));
    must(cudaLaunchHostFunc(compute_, &HistService::deliver, r));
  }

  void drain() {
    must(cudaStreamSynchronize(compute_));
    must(cudaStreamSynchronize(copy_));
  }

 private:
  struct Request {
    HistService* owner = nullptr;
    uint32_t* dev = nullptr;
    Bins* host = nullptr;
    cudaEvent_t counted = nullptr;
    Callback cb;
  };

  static void CUDART_CB deliver(void* arg) {
    auto* r = static_cast<Request*>(arg);
    r->cb(*r->host);
    std::lock_guard<std::mutex> lock(r->owner->mu_);
    r->owner->idle_.push_back(r);
    r->owner->cv_.notify_one();
  }

  Request* acquire() {
    std::unique_lock<std::mutex> lock(mu_);
    cv_.wait(lock, [this] { return !idle_.empty(); });
    Request* r = idle_.back();
    idle_.pop_back();
    return r;
  }

  cudaStream_t compute_{}, copy_{};
  std::mutex mu_;
  std::condition_variable cv_;
  std::vector<Request*> idle_;
  std::vector<std::unique_ptr<Request>> all_;
};

int main() {
  const size_t n = 8 << 20;
  uint8_t* img;
  cudaStream_t s;
  must(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  must(cudaMalloc(&img, n));
  must(cudaMemsetAsync(img, 7, n, s));
  must(cudaStreamSynchronize(s));
  std::atomic<int> wrong{0};
  {
    HistService svc(3);
    for (int i = 0; i < 12; ++i)
      svc.submit(img, n - i, [&wrong, n, i](const HistService::Bins& b) { wrong += b[7] != n - i; });
    svc.drain();
  }
  std::printf("wrong histograms: %d\n", wrong.load());
  cudaFree(img);
  cudaStreamDestroy(s);
  return wrong != 0;
}
