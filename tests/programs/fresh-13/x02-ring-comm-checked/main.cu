// Data parallel gradient averaging over three logical ranks.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ring.h"

#define CU(call)                                                \
  do {                                                          \
    cudaError_t e_ = (call);                                    \
    if (e_ != cudaSuccess) {                                    \
      std::printf("ERROR %s\n", cudaGetErrorName(e_));          \
      std::fflush(stdout);                                      \
      std::_Exit(1);                                            \
    }                                                           \
  } while (0)

static void ok(ringComm_t comm, ringResult_t r) {
  if (r == ringSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(ringLastCudaError(comm)));
  std::fflush(stdout);
  std::_Exit(1);
}

int main() {
  constexpr int kRanks = 3;
  constexpr size_t kParams = 20000;
  constexpr int kRounds = 3;

  float* grads[kRanks];
  cudaStream_t streams[kRanks];
  float* host = nullptr;
  CU(cudaMallocHost(&host, kRanks * kParams * sizeof(float)));
  for (int r = 0; r < kRanks; ++r) {
    CU(cudaMalloc(&grads[r], kParams * sizeof(float)));
    CU(cudaStreamCreateWithFlags(&streams[r], cudaStreamNonBlocking));
    float* row = host + r * kParams;
    for (size_t i = 0; i < kParams; ++i) row[i] = float((i + 7 * r) % 11);
    CU(cudaMemcpyAsync(grads[r], row, kParams * sizeof(float), cudaMemcpyHostToDevice,
                       streams[r]));
    CU(cudaStreamSynchronize(streams[r]));
  }

  ringConfig_t config{kRanks, kParams};
  ringComm_t comm = nullptr;
  ok(comm, ringCommCreate(&comm, &config));

  for (int round = 0; round < kRounds; ++round) ok(comm, ringAllReduce(comm, grads, kParams, streams));

  for (int r = 0; r < kRanks; ++r)
    CU(cudaMemcpyAsync(host + r * kParams, grads[r], kParams * sizeof(float),
                       cudaMemcpyDeviceToHost, streams[r]));
  for (int r = 0; r < kRanks; ++r) CU(cudaStreamSynchronize(streams[r]));
  ok(comm, ringCommDestroy(comm));

  long wrong = 0;
  for (size_t i = 0; i < kParams; ++i) {
    float sum = 0.f;
    for (int r = 0; r < kRanks; ++r) sum += float((i + 7 * r) % 11);
    const float expected = sum * kRanks * kRanks;  // two further rounds multiply by the rank count
    for (int r = 0; r < kRanks; ++r) wrong += host[r * kParams + i] != expected;
  }
  for (int r = 0; r < kRanks; ++r) {
    CU(cudaStreamDestroy(streams[r]));
    CU(cudaFree(grads[r]));
  }
  CU(cudaFreeHost(host));
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
