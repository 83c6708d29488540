// Performance tracking of two table-lookup kernels of a pricing engine with the ubench library.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "ubench.hpp"

namespace {

constexpr int kN = 1 << 16;

__global__ void price_linear(float const* table, float* out, int n, int rounds, long long cycles) {
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float acc = 0.f;
    for (int r = 0; r < rounds; ++r) acc += table[(i + r * 31) % n];
    out[i] = acc;
  }
}

__global__ void price_stepped(float const* table, float* out, int n, int rounds, long long cycles) {
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float acc = 0.f;
    for (int r = 0; r < rounds; ++r) acc += table[(i * 17 + r) % n];
    out[i] = acc;
  }
}

double wall_ms(ubench::body const& fn, int repeats, cudaStream_t s) {
  fn(s);
  ubench::verify(cudaStreamSynchronize(s));
  auto t0 = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) fn(s);
  ubench::verify(cudaStreamSynchronize(s));
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count() / repeats;
}

}  // namespace

int main() {
  try {
    cudaStream_t stream;
    ubench::verify(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    float *table = nullptr, *out = nullptr;
    ubench::verify(cudaMalloc(&table, kN * sizeof(float)));
    ubench::verify(cudaMalloc(&out, kN * sizeof(float)));
    ubench::verify(cudaMemsetAsync(table, 0, kN * sizeof(float), stream));

    std::vector<std::pair<std::string, ubench::body>> cases;
    cases.emplace_back("linear", [=](cudaStream_t s) {
      price_linear<<<64, 256, 0, s>>>(table, out, kN, 24, 30'000'000LL);
      ubench::verify(cudaGetLastError());
    });
    cases.emplace_back("stepped", [=](cudaStream_t s) {
      price_stepped<<<64, 256, 0, s>>>(table, out, kN, 24, 50'000'000LL);
      ubench::verify(cudaGetLastError());
    });

    double worst = 1.0;
    {
      ubench::runner bench({});
      for (auto const& [name, fn] : cases) {
        ubench::measurement m = bench.run(name, 24.0 * kN * sizeof(float), fn, stream);
        double const reference = wall_ms(fn, 4, stream);
        double const ratio = std::max(reference / m.median_ms, m.median_ms / reference);
        worst = std::max(worst, ratio);
        std::printf("%-8s %10.3f ms  %8.3f GB/s\n", m.name.c_str(), m.median_ms, m.bytes_per_second * 1e-9);
      }
    }

    ubench::verify(cudaFree(table));
    ubench::verify(cudaFree(out));
    ubench::verify(cudaStreamDestroy(stream));
    if (worst > 1.5)
      std::printf("SLOW %.2f\n", worst);
    else
      std::printf("DONE\n");
  } catch (ubench::failure const& f) {
    std::printf("ERROR %s\n", cudaGetErrorName(f.code));
  }
  return 0;
}
