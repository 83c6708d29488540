// Radar receiver: a synthesiser fills pulses, a detector integrates them, each from its own thread.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "gate.h"

namespace {

constexpr int kFrames = 7;
constexpr int kSlots = 2;
constexpr std::size_t kSamples = 1 << 14;

void rt(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::fflush(stdout);
  std::_Exit(1);
}

__device__ void dwell(unsigned long long ns) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  } while (t - t0 < ns);
}

__global__ void synthesise(float* pulse, std::size_t n, unsigned frame, unsigned long long ns) {
  dwell(ns);
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x)
    pulse[i] = float((i + frame) % 4);
}

__global__ void integrate(const float* pulse, std::size_t n, double* energy,
                          unsigned long long ns) {
  dwell(ns);
  double sum = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x)
    sum += pulse[i];
  if (sum != 0) atomicAdd(energy, sum);
}

struct Receiver {
  cudaStream_t synth = nullptr;
  cudaStream_t detect = nullptr;
  double* energy = nullptr;

  Receiver() {
    rt(cudaStreamCreateWithFlags(&synth, cudaStreamNonBlocking));
    rt(cudaStreamCreateWithFlags(&detect, cudaStreamNonBlocking));
    rt(cudaMalloc(&energy, (kFrames + 1) * sizeof(double)));
    rt(cudaMemset(energy, 0, (kFrames + 1) * sizeof(double)));
    rt(cudaDeviceSynchronize());
  }
  ~Receiver() {
    rt(cudaFree(energy));
    rt(cudaStreamDestroy(detect));
    rt(cudaStreamDestroy(synth));
  }

  // An empty pulse goes through both stages when the receiver is powered on.
  void calibrate() {
    synthesise<<<8, 128, 0, synth>>>(nullptr, 0, 0, 0);
    rt(cudaGetLastError());
    integrate<<<8, 128, 0, detect>>>(nullptr, 0, energy + kFrames, 0);
    rt(cudaGetLastError());
    rt(cudaDeviceSynchronize());
  }
};

}  // namespace

int main() {
  rt(cudaFree(nullptr));
  long wrong = 0;
  {
    Receiver rx;
    rx.calibrate();
    flow::FrameChannel channel(kSlots, kSamples);

    std::thread detector([&] {
      rt(cudaSetDevice(0));
      for (unsigned f = 0; f < kFrames; ++f) {
        const float* pulse = channel.begin_read(rx.detect, f);
        integrate<<<8, 128, 0, rx.detect>>>(pulse, channel.samples(), rx.energy + f, 15'000'000);
        rt(cudaGetLastError());
        channel.end_read(rx.detect, f);
      }
    });
    detector.join();

    std::thread synthesiser([&] {
      rt(cudaSetDevice(0));
      for (unsigned f = 0; f < kFrames; ++f) {
        float* pulse = channel.begin_write(rx.synth, f);
        synthesise<<<8, 128, 0, rx.synth>>>(pulse, channel.samples(), f, 10'000'000);
        rt(cudaGetLastError());
        channel.end_write(rx.synth, f);
      }
    });
    synthesiser.join();

    std::vector<double> energy(kFrames);
    rt(cudaStreamSynchronize(rx.detect));
    rt(cudaStreamSynchronize(rx.synth));
    rt(cudaMemcpy(energy.data(), rx.energy, kFrames * sizeof(double), cudaMemcpyDeviceToHost));
    for (double e : energy) wrong += e != double(kSamples / 4) * 6.0;
  }
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
