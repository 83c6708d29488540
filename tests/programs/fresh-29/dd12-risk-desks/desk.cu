#include "desk.h"

namespace risk {

namespace {

constexpr int kBuffers = 2;

__host__ __device__ inline int exposure(int desk, int i) {
  return static_cast<int>((static_cast<unsigned>(i) * 2654435761u + desk * 97u) >> 22) - 512;
}

__host__ __device__ inline long long revalue(int exposure, int shock) {
  return static_cast<long long>(exposure) * shock + (shock >> 2);
}

__device__ void hold(long long ns) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  } while (static_cast<long long>(t - t0) < ns);
}

__global__ void value_book(const int* shocks, int n, int desk, ScenarioResult* out, long long ns) {
  hold(ns);
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += revalue(exposure(desk, i), shocks[i]);
  atomicAdd(reinterpret_cast<unsigned long long*>(&out->value),
            static_cast<unsigned long long>(sum));
}

__global__ void bump_book(const int* shocks, int n, int desk, ScenarioResult* out, long long ns) {
  hold(ns);
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int e = exposure(desk, i);
    sum += revalue(e, shocks[i] + 1) - revalue(e, shocks[i]);
  }
  atomicAdd(reinterpret_cast<unsigned long long*>(&out->delta),
            static_cast<unsigned long long>(sum));
}

}  // namespace

struct Desk::Resources {
  cudaStream_t greeks = nullptr;
  cudaEvent_t uploaded = nullptr;
  cudaEvent_t bumped = nullptr;
  cudaEvent_t staged[kBuffers] = {};
  int* host_shocks[kBuffers] = {};
  int* dev_shocks[kBuffers] = {};
  ScenarioResult* dev_results = nullptr;
  ScenarioResult* host_results = nullptr;
};

void Desk::ResourcesDelete::operator()(Resources* r) const {
  cudaStreamSynchronize(cudaStreamPerThread);
  if (r->greeks) {
    cudaStreamSynchronize(r->greeks);
    cudaStreamDestroy(r->greeks);
  }
  if (r->uploaded) cudaEventDestroy(r->uploaded);
  if (r->bumped) cudaEventDestroy(r->bumped);
  for (int b = 0; b < kBuffers; ++b) {
    if (r->staged[b]) cudaEventDestroy(r->staged[b]);
    if (r->host_shocks[b]) cudaFreeHost(r->host_shocks[b]);
    if (r->dev_shocks[b]) cudaFree(r->dev_shocks[b]);
  }
  if (r->dev_results) cudaFree(r->dev_results);
  if (r->host_results) cudaFreeHost(r->host_results);
  delete r;
}

void Desk::open() {
  res_.reset(new Resources);
  Resources& r = *res_;
  const size_t shocks = setup_.positions * sizeof(int);
  const size_t results = setup_.scenarios * sizeof(ScenarioResult);
  RISK(cudaStreamCreateWithFlags(&r.greeks, cudaStreamNonBlocking));
  RISK(cudaEventCreateWithFlags(&r.uploaded, cudaEventDisableTiming));
  RISK(cudaEventCreateWithFlags(&r.bumped, cudaEventDisableTiming));
  for (int b = 0; b < kBuffers; ++b) {
    RISK(cudaEventCreateWithFlags(&r.staged[b], cudaEventDisableTiming));
    RISK(cudaMallocHost(&r.host_shocks[b], shocks));
    RISK(cudaMalloc(&r.dev_shocks[b], shocks));
  }
  RISK(cudaMalloc(&r.dev_results, results));
  RISK(cudaMallocHost(&r.host_results, results));
  results_.assign(setup_.scenarios, ScenarioResult{});
}

void Desk::fill(int scenario, int* shocks) const {
  for (int i = 0; i < setup_.positions; ++i)
    shocks[i] = (i * 13 + scenario * 101 + id_ * 7) % 400 - 200;
}

void Desk::run(int scenarios) {
  Resources& r = *res_;
  const size_t bytes = setup_.positions * sizeof(int);
  const cudaStream_t mine = cudaStreamPerThread;
  const long long ns = scenarios < setup_.scenarios ? 100000 : setup_.valuation_ns;

  RISK(cudaMemsetAsync(r.dev_results, 0, setup_.scenarios * sizeof(ScenarioResult), mine));
  for (int k = 0; k < scenarios; ++k) {
    const int b = k % kBuffers;
    if (k >= kBuffers) RISK(cudaEventSynchronize(r.staged[b]));
    fill(k, r.host_shocks[b]);
    RISK(cudaMemcpyAsync(r.dev_shocks[b], r.host_shocks[b], bytes, cudaMemcpyHostToDevice, mine));
    RISK(cudaEventRecord(r.staged[b], mine));

    RISK(cudaEventRecord(r.uploaded, mine));
    RISK(cudaStreamWaitEvent(r.greeks, r.uploaded, 0));
    bump_book<<<4, 128, 0, r.greeks>>>(r.dev_shocks[b], setup_.positions, id_, r.dev_results + k,
                                       ns);
    RISK(cudaGetLastError());
    value_book<<<4, 128, 0, mine>>>(r.dev_shocks[b], setup_.positions, id_, r.dev_results + k, ns);
    RISK(cudaGetLastError());
    RISK(cudaEventRecord(r.bumped, r.greeks));
    RISK(cudaStreamWaitEvent(mine, r.bumped, 0));
  }
  RISK(cudaMemcpyAsync(r.host_results, r.dev_results, scenarios * sizeof(ScenarioResult),
                       cudaMemcpyDeviceToHost, mine));
  RISK(cudaStreamSynchronize(mine));
  results_.assign(r.host_results, r.host_results + scenarios);
}

int Desk::mistakes() const {
  int bad = results_.size() != static_cast<size_t>(setup_.scenarios);
  std::vector<int> shocks(setup_.positions);
  for (size_t k = 0; k < results_.size(); ++k) {
    fill(static_cast<int>(k), shocks.data());
    ScenarioResult want;
    for (int i = 0; i < setup_.positions; ++i) {
      const int e = exposure(id_, i);
      want.value += revalue(e, shocks[i]);
      want.delta += revalue(e, shocks[i] + 1) - revalue(e, shocks[i]);
    }
    bad += want.value != results_[k].value || want.delta != results_[k].delta;
  }
  return bad;
}

}  // namespace risk
