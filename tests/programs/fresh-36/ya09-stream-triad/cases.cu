#include "workspace.h"

namespace {

constexpr int kBlock = 256;
constexpr int kGrid = 132 * 8;

__global__ void scaleKernel(float* c, const float* a, float s, size_t n) {
  for (size_t i = blockIdx.x * size_t(kBlock) + threadIdx.x; i < n; i += size_t(kGrid) * kBlock) {
    c[i] = s * a[i];
  }
}

__global__ void addKernel(float* c, const float* a, const float* b, size_t n) {
  for (size_t i = blockIdx.x * size_t(kBlock) + threadIdx.x; i < n; i += size_t(kGrid) * kBlock) {
    c[i] = a[i] + b[i];
  }
}

__global__ void triadKernel(float* c, const float* a, const float* b, float s, size_t n) {
  for (size_t i = blockIdx.x * size_t(kBlock) + threadIdx.x; i < n; i += size_t(kGrid) * kBlock) {
    c[i] = a[i] + s * b[i];
  }
}

}  // namespace

// Device-to-device copy by the driver, the reference of the ratio column.
static void copy(bench::State& state, bench::Workspace& ws) {
  for ([[maybe_unused]] auto _ : state) {
    BENCH_CUDA(
        cudaMemcpyAsync(ws.c, ws.a, ws.bytes(), cudaMemcpyDeviceToDevice, state.stream()));
  }
  state.setBytesPerRound(2.0 * ws.bytes());
}
BENCHMARK_CASE(copy);

static void scale(bench::State& state, bench::Workspace& ws) {
  for ([[maybe_unused]] auto _ : state) {
    scaleKernel<<<kGrid, kBlock, 0, state.stream()>>>(ws.c, ws.a, 4.0f, ws.count);
  }
  BENCH_CUDA(cudaGetLastError());
  state.setBytesPerRound(2.0 * ws.bytes());
}
BENCHMARK_CASE(scale);

static void add(bench::State& state, bench::Workspace& ws) {
  for ([[maybe_unused]] auto _ : state) {
    addKernel<<<kGrid, kBlock, 0, state.stream()>>>(ws.c, ws.a, ws.b, ws.count);
  }
  BENCH_CUDA(cudaGetLastError());
  state.setBytesPerRound(3.0 * ws.bytes());
}
BENCHMARK_CASE(add);

static void triad(bench::State& state, bench::Workspace& ws) {
  for ([[maybe_unused]] auto _ : state) {
    triadKernel<<<kGrid, kBlock, 0, ws.stream>>>(ws.c, ws.a, ws.b, 3.0f, ws.count);
  }
  BENCH_CUDA(cudaGetLastError());
  state.setBytesPerRound(3.0 * ws.bytes());
}
BENCHMARK_CASE(triad);
