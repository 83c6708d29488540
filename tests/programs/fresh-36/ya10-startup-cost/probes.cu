#include "probes.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using Clock = std::chrono::steady_clock;

double microsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

__device__ unsigned long long nanos() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  return t;
}

__global__ void tickKernel(int* ticks) { *ticks += 1; }

__global__ void busyKernel(int micros) {
  const unsigned long long start = nanos();
  while (nanos() - start < 1000ull * micros) {
  }
}

__global__ void parkKernel(volatile unsigned* flags) {
  flags[0] = 1;
  __threadfence_system();
  while (flags[1] == 0) {
  }
}

}  // namespace

void require(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(status));
  std::exit(1);
}

const char* describe(Meaning meaning) {
  switch (meaning) {
    case Meaning::ColdStart: return "cold start, one-off costs included";
    case Meaning::HostSubmission: return "host time of the call only, completion not included";
    case Meaning::RoundTrip: return "host to GPU and back";
    default: return "steady state on the GPU";
  }
}

Device::Device() {
  require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  require(cudaMalloc(&ticks_, sizeof(int)));
  require(cudaMemset(ticks_, 0, sizeof(int)));
  require(cudaDeviceSynchronize());
  require(cudaHostAlloc(&flags_, 2 * sizeof(unsigned), cudaHostAllocMapped));
  require(cudaHostGetDevicePointer(&flagsOnDevice_, flags_, 0));
}

Device::~Device() {
  cudaFreeHost(flags_);
  cudaFree(ticks_);
  cudaStreamDestroy(stream_);
}

// The very first launch of a kernel of this program: the loading of its code is part of it.
double Device::firstLaunch() {
  const auto start = Clock::now();
  tickKernel<<<1, 1, 0, stream_>>>(ticks_);
  require(cudaStreamSynchronize(stream_));
  ++ticksSent_;
  return microsSince(start);
}

// Mean host time of a launch.
double Device::launchCall(int launches) {
  const auto start = Clock::now();
  for (int i = 0; i < launches; ++i) tickKernel<<<1, 1, 0, stream_>>>(ticks_);
  const double micros = microsSince(start) / launches;
  require(cudaGetLastError());
  require(cudaStreamSynchronize(stream_));
  ticksSent_ += launches;
  return micros;
}

double Device::graphLaunchCall(int launches) {
  constexpr int kPerGraph = 8;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  require(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < kPerGraph; ++i) tickKernel<<<1, 1, 0, stream_>>>(ticks_);
  require(cudaStreamEndCapture(stream_, &graph));
  require(cudaGraphInstantiate(&exec, graph, 0));
  require(cudaGraphUpload(exec, stream_));
  require(cudaStreamSynchronize(stream_));

  const auto start = Clock::now();
  for (int i = 0; i < launches; ++i) require(cudaGraphLaunch(exec, stream_));
  const double micros = microsSince(start) / launches;
  require(cudaStreamSynchronize(stream_));
  ticksSent_ += launches * kPerGraph;
  require(cudaGraphExecDestroy(exec));
  require(cudaGraphDestroy(graph));
  return micros;
}

double Device::allocateAndFree(int bytes) {
  void* block = nullptr;
  const auto start = Clock::now();
  require(cudaMalloc(&block, bytes));
  require(cudaFree(block));
  return microsSince(start);
}

double Device::emptyWait(int rounds) {
  const auto start = Clock::now();
  for (int i = 0; i < rounds; ++i) {
    tickKernel<<<1, 1, 0, stream_>>>(ticks_);
    require(cudaStreamSynchronize(stream_));
  }
  const double micros = microsSince(start) / rounds;
  ticksSent_ += rounds;
  return micros;
}

// From the store of the host's flag to the end of a kernel that waits for it.
double Device::wakeUp() {
  volatile unsigned* flags = flags_;
  flags[0] = 0;
  flags[1] = 0;
  parkKernel<<<1, 1, 0, stream_>>>(flagsOnDevice_);
  require(cudaGetLastError());
  while (flags[0] == 0) {
  }
  const auto start = Clock::now();
  flags[1] = 1;
  require(cudaStreamSynchronize(stream_));
  return microsSince(start);
}

double Device::steadyByEvents(int micros, int rounds) {
  cudaEvent_t first, last;
  require(cudaEventCreate(&first));
  require(cudaEventCreate(&last));
  busyKernel<<<1, 1, 0, stream_>>>(micros);
  require(cudaEventRecord(first, stream_));
  for (int i = 0; i < rounds; ++i) busyKernel<<<1, 1, 0, stream_>>>(micros);
  require(cudaEventRecord(last, stream_));
  require(cudaEventSynchronize(last));
  float millis = 0.0f;
  require(cudaEventElapsedTime(&millis, first, last));
  require(cudaEventDestroy(first));
  require(cudaEventDestroy(last));
  return 1e3 * millis / rounds;
}

double Device::steadyByClock(int micros, int rounds) {
  busyKernel<<<1, 1, 0, stream_>>>(micros);
  require(cudaStreamSynchronize(stream_));
  const auto start = Clock::now();
  for (int i = 0; i < rounds; ++i) busyKernel<<<1, 1, 0, stream_>>>(micros);
  require(cudaStreamSynchronize(stream_));
  return microsSince(start) / rounds;
}

int Device::ticksCounted() {
  int counted = 0;
  require(cudaMemcpyAsync(&counted, ticks_, sizeof(int), cudaMemcpyDeviceToHost, stream_));
  require(cudaStreamSynchronize(stream_));
  return counted;
}
