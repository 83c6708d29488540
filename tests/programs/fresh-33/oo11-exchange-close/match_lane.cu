#include "match_lane.h"

#include <algorithm>

namespace mx {
namespace {

__global__ void matchOrders(const Order* orders, int n, unsigned micros, Fill* fills) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const Order o = orders[i];
    const bool crossed = o.bid >= o.ask;
    fills[i] = {o.symbol, crossed ? (o.bid + o.ask) / 2 : 0, crossed ? min(o.bidQty, o.askQty) : 0};
  }
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < micros * 1000ull);
}

class GpuLane final : public MatchLane {
 public:
  GpuLane(const LaneConfig& config, FillSink sink) : config_(config), sink_(std::move(sink)) {}

  ~GpuLane() override {
    if (stream_) cudaStreamDestroy(stream_);
    for (Slot& s : slots_) {
      cudaFreeHost(s.orders);
      cudaFreeHost(s.fills);
    }
    cudaFree(deviceOrders_);
    cudaFree(deviceFills_);
  }

  Result open() {
    const size_t n = config_.ordersPerBatch;
    MX_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    MX_CUDA(cudaMalloc(&deviceOrders_, n * sizeof(Order)));
    MX_CUDA(cudaMalloc(&deviceFills_, n * sizeof(Fill)));
    slots_.resize(config_.batchSlots);
    for (Slot& s : slots_) {
      s.owner = this;
      MX_CUDA(cudaMallocHost(&s.orders, n * sizeof(Order)));
      MX_CUDA(cudaMallocHost(&s.fills, n * sizeof(Fill)));
    }
    return {};
  }

  Result submit(const std::vector<Order>& orders) override {
    if (used_ == slots_.size()) return {Code::Full};
    Slot& s = slots_[used_++];
    s.count = int(std::min<size_t>(orders.size(), config_.ordersPerBatch));
    std::copy_n(orders.begin(), s.count, s.orders);
    MX_CUDA(cudaMemcpyAsync(deviceOrders_, s.orders, s.count * sizeof(Order), cudaMemcpyHostToDevice, stream_));
    matchOrders<<<2, 128, 0, stream_>>>(deviceOrders_, s.count, config_.matchMicros, deviceFills_);
    MX_CUDA(cudaGetLastError());
    MX_CUDA(cudaMemcpyAsync(s.fills, deviceFills_, s.count * sizeof(Fill), cudaMemcpyDeviceToHost, stream_));
    MX_CUDA(cudaLaunchHostFunc(stream_, &GpuLane::onBatch, &s));
    return {};
  }

  Result drain() override {
    MX_CUDA(cudaStreamSynchronize(stream_));
    used_ = 0;
    return {};
  }

 private:
  struct Slot {
    GpuLane* owner = nullptr;
    Order* orders = nullptr;
    Fill* fills = nullptr;
    int count = 0;
  };

  static void CUDART_CB onBatch(void* raw) {
    const Slot* s = static_cast<const Slot*>(raw);
    s->owner->sink_(s->fills, s->count);
  }

  LaneConfig config_;
  FillSink sink_;
  cudaStream_t stream_ = nullptr;
  std::vector<Slot> slots_;
  size_t used_ = 0;
  Order* deviceOrders_ = nullptr;
  Fill* deviceFills_ = nullptr;
};

}  // namespace

Result makeGpuLane(const LaneConfig& config, FillSink sink, std::unique_ptr<MatchLane>& out) {
  auto lane = std::make_unique<GpuLane>(config, std::move(sink));
  MX_TRY(lane->open());
  out = std::move(lane);
  return {};
}

}  // namespace mx
