// A stream of heat problems over four workers. A worker is taken again when its previous problem
// has come back to the host. The elapsed time is held against an even split of the sweeps.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "solver.h"

namespace {

constexpr int kRows = 2048;
constexpr int kSweeps = 4;
constexpr int kWorkers = 4;
constexpr int kProblems = 12;
constexpr unsigned long long kSweepNs = 8'000'000ull;

void must(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::fflush(stdout);
  std::_Exit(1);
}

struct Worker {
  cudaStream_t stream = nullptr;
  cudaEvent_t returned = nullptr;
  bandHandle_t solver = nullptr;
  float* device = nullptr;  // rhs, then x
  float* host = nullptr;    // pinned: rhs, then x
  int problem = -1;

  void band(bandStatus_t status) const {
    if (status == BAND_STATUS_SUCCESS) return;
    must(bandLastError(solver));
    must(cudaErrorInvalidValue);
  }
  Worker() {
    must(cudaStreamCreate(&stream));
    must(cudaEventCreateWithFlags(&returned, cudaEventDisableTiming));
    must(cudaMalloc(&device, 2 * kRows * sizeof(float)));
    must(cudaMallocHost(&host, 2 * kRows * sizeof(float)));
    band(bandCreate(&solver, kRows));
    band(bandSetStream(solver, stream));
  }
  ~Worker() {
    band(bandDestroy(solver));
    must(cudaFreeHost(host));
    must(cudaFree(device));
    must(cudaEventDestroy(returned));
    must(cudaStreamDestroy(stream));
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void start(int id, unsigned long long sweep_ns) {
    problem = id;
    for (int i = 0; i < kRows; ++i) host[i] = float((i * (id + 3)) % 16);
    must(cudaMemcpyAsync(device, host, kRows * sizeof(float), cudaMemcpyHostToDevice, stream));
    band(bandSetSweepTime(solver, sweep_ns));
    band(bandSolve(solver, device, device + kRows, kRows, kSweeps));
    must(cudaMemcpyAsync(host + kRows, device + kRows, kRows * sizeof(float),
                         cudaMemcpyDeviceToHost, stream));
    must(cudaEventRecord(returned, stream));
  }
  long collect() {
    if (problem < 0) return 0;
    must(cudaEventSynchronize(returned));
    std::vector<float> x(kRows, 0.f), y(kRows);
    for (int s = 0; s < kSweeps; ++s) {
      for (int i = 0; i < kRows; ++i) {
        const float left = i > 0 ? x[i - 1] : 0.f;
        const float right = i + 1 < kRows ? x[i + 1] : 0.f;
        y[i] = (host[i] + left + right) * 0.25f;
      }
      x.swap(y);
    }
    long wrong = 0;
    for (int i = 0; i < kRows; ++i) wrong += host[kRows + i] != x[i];
    problem = -1;
    return wrong;
  }
};

}  // namespace

int main() {
  long wrong = 0;
  double ratio = 0;
  {
    std::vector<Worker> workers(kWorkers);
    for (Worker& w : workers) w.start(0, 0);
    for (Worker& w : workers) wrong += w.collect();

    const auto begin = std::chrono::steady_clock::now();
    for (int id = 0; id < kProblems; ++id) {
      Worker& w = workers[id % kWorkers];
      wrong += w.collect();
      w.start(id, kSweepNs);
    }
    for (Worker& w : workers) wrong += w.collect();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    ratio = elapsed.count() / (kSweepNs * 1e-9 * kSweeps * kProblems / kWorkers);
  }
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return 0;
}
