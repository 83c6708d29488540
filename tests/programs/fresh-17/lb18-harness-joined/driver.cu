#include "state.cuh"
#include <chrono>
#include <cstdio>

__global__ void busy(float* out, int n, long long cycles) {
  const long long t0 = clock64();
  while (clock64() - t0 < cycles) {}
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += 1.0f;
}

int main() {
  const int n = 4096;
  float* buf = nullptr;
  cudaMalloc(&buf, 8 * n * sizeof(float));
  cudaMemset(buf, 0, 8 * n * sizeof(float));
  cudaDeviceSynchronize();

  gpumark::state st;
  st.set_min_samples(6);
  st.set_batch_size(8);
  st.set_streams(4);
  st.add_element_count(n);
  st.add_int64("cycles", 30000000);
  const long long cycles = st.get_int64("cycles");
  auto launcher = [&](const gpumark::launch& l) {
    busy<<<(n + 255) / 256, 256, 0, l.get_stream()>>>(buf + l.index * n, n, cycles);
  };

  st.exec(gpumark::exec_tag::isolated, launcher);
  const auto t0 = std::chrono::steady_clock::now();
  st.exec(gpumark::exec_tag::concurrent, launcher);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
  if (cudaDeviceSynchronize() != cudaSuccess) { std::printf("SLOW cuda error\n"); return 1; }
  cudaFree(buf);

  // eight launches in four streams: a batch needs at least two launches' time
  const double one = st.get_summary("isolated/time/mean");
  const double batch = st.get_summary("concurrent/time/mean");
  if (batch < 1.5 * one) {
    std::printf("SLOW batch reported as %.3f ms, one launch as %.3f ms, 7 batches took %.1f ms\n", 1e3 * batch, 1e3 * one, 1e3 * wall);
    return 1;
  }
  std::printf("DONE\n");
  return 0;
}
