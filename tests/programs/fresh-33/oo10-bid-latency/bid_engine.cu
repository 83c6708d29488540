#include "bid_engine.h"
#include <algorithm>
#include <memory>

namespace adx {
namespace {

__device__ unsigned long long tickNs() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

struct ClickModel {
  __host__ __device__ static int score(int f) { return f % 211 + 3; }
};
struct ConversionModel {
  __host__ __device__ static int score(int f) { return f % 89 + 7; }
};

template <class Model>
__global__ void scoreCandidates(const int* features, int n, unsigned micros, int* scores, Stamp* stamp) {
  const unsigned long long begin = tickNs();
  for (int i = threadIdx.x; i < n; i += blockDim.x) scores[i] = Model::score(features[i]);
  while (tickNs() < begin + micros * 1000ull) {
  }
  if (threadIdx.x == 0) *stamp = {begin, tickNs()};
}

__global__ void runAuction(const int* click, const int* conversion, int n, unsigned micros, Award* award, Stamp* stamp) {
  const unsigned long long begin = tickNs();
  while (tickNs() < begin + micros * 1000ull) {
  }
  Award best{-1, -1};
  for (int i = 0; i < n; ++i) {
    const int value = click[i] * conversion[i];
    if (value > best.price) best = {i, value};
  }
  *award = best;
  *stamp = {begin, tickNs()};
}

struct Ticket {
  std::promise<Clock::time_point> available;
};

void CUDART_CB announce(void* raw) {
  std::unique_ptr<Ticket> ticket(static_cast<Ticket*>(raw));
  ticket->available.set_value(Clock::now());
}

}  // namespace

BidEngine::BidEngine(const EngineConfig& config)
    : config_(config),
      click_(makeStream()),
      conversion_(makeStream()),
      auction_(makeStream()),
      featuresReady_(makeEvent(cudaEventDisableTiming)),
      clickDone_(makeEvent(cudaEventDisableTiming)),
      conversionDone_(makeEvent(cudaEventDisableTiming)),
      opened_(makeEvent(cudaEventDefault)),
      closed_(makeEvent(cudaEventDefault)) {
  const size_t bytes = config_.candidates * sizeof(int);
  ok(cudaMallocHost(&features_, bytes));
  ok(cudaMallocHost(&award_, sizeof(Award)));
  ok(cudaMalloc(&deviceFeatures_, bytes));
  ok(cudaMalloc(&clickScore_, bytes));
  ok(cudaMalloc(&conversionScore_, bytes));
  ok(cudaMalloc(&deviceAward_, sizeof(Award)));
  ok(cudaMalloc(&stamps_, 3 * sizeof(Stamp)));
}

BidEngine::~BidEngine() {
  cudaDeviceSynchronize();
  cudaFree(stamps_);
  cudaFree(deviceAward_);
  cudaFree(conversionScore_);
  cudaFree(clickScore_);
  cudaFree(deviceFeatures_);
  cudaFreeHost(award_);
  cudaFreeHost(features_);
}

void BidEngine::fillFeatures(int request) {
  for (int i = 0; i < config_.candidates; ++i) features_[i] = feature(request, i);
}

std::future<Clock::time_point> BidEngine::serve(int request) {
  const int n = config_.candidates;
  fillFeatures(request);
  ok(cudaEventRecord(opened_.get(), click_.get()));
  ok(cudaMemcpyAsync(deviceFeatures_, features_, n * sizeof(int), cudaMemcpyHostToDevice, click_.get()));
  ok(cudaEventRecord(featuresReady_.get(), click_.get()));
  ok(cudaStreamWaitEvent(conversion_.get(), featuresReady_.get(), 0));

  scoreCandidates<ClickModel>
      <<<1, 128, 0, click_.get()>>>(deviceFeatures_, n, config_.clickMicros, clickScore_, stamps_);
  ok(cudaGetLastError());
  scoreCandidates<ConversionModel><<<1, 128, 0, conversion_.get()>>>(deviceFeatures_, n, config_.conversionMicros,
                                                                     conversionScore_, stamps_ + 1);
  ok(cudaGetLastError());
  ok(cudaEventRecord(clickDone_.get(), click_.get()));
  ok(cudaEventRecord(conversionDone_.get(), conversion_.get()));

  ok(cudaStreamWaitEvent(auction_.get(), clickDone_.get(), 0));
  ok(cudaStreamWaitEvent(auction_.get(), conversionDone_.get(), 0));
  runAuction<<<1, 1, 0, auction_.get()>>>(clickScore_, conversionScore_, n, config_.auctionMicros, deviceAward_,
                                          stamps_ + 2);
  ok(cudaGetLastError());
  ok(cudaMemcpyAsync(award_, deviceAward_, sizeof(Award), cudaMemcpyDeviceToHost, auction_.get()));
  ok(cudaEventRecord(closed_.get(), auction_.get()));

  auto ticket = std::make_unique<Ticket>();
  std::future<Clock::time_point> available = ticket->available.get_future();
  ok(cudaLaunchHostFunc(auction_.get(), announce, ticket.get()));
  ticket.release();
  return available;
}

double BidEngine::gpuMilliseconds() const {
  float ms = 0.f;
  ok(cudaEventSynchronize(closed_.get()));
  ok(cudaEventElapsedTime(&ms, opened_.get(), closed_.get()));
  return ms;
}

double BidEngine::ledgerMilliseconds() const {
  Stamp s[3];
  ok(cudaMemcpy(s, stamps_, sizeof s, cudaMemcpyDeviceToHost));
  return double(s[2].endNs - std::min(s[0].beginNs, s[1].beginNs)) * 1e-6;
}

Award BidEngine::reference(int request) const {
  Award best{-1, -1};
  for (int i = 0; i < config_.candidates; ++i) {
    const int f = feature(request, i);
    const int value = ClickModel::score(f) * ConversionModel::score(f);
    if (value > best.price) best = {i, value};
  }
  return best;
}

}  // namespace adx
