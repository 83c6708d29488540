#include "fixture.h"
#include "kernels.cuh"
#include <algorithm>
#include <memory>

template <typename T>
static T *filled(size_t n, T v) {
  std::vector<T> h(n, v);
  T *d = nullptr;
  ASSERT_CUDA(cudaMalloc(&d, n * sizeof(T)));
  ASSERT_CUDA(cudaMemcpy(d, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  ASSERT_CUDA(cudaDeviceSynchronize());
  return d;
}

template <typename T>
static long mismatches(const T *d, size_t n, T want) {
  std::vector<T> h(n);
  ASSERT_CUDA(cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost));
  return (long)std::count_if(h.begin(), h.end(), [want](T v) { return v != want; });
}

template <typename T>
class AxpyTest : public BlasFixture {
public:
  using BlasFixture::BlasFixture;

protected:
  const char *name() const override { return sizeof(T) == 8 ? "daxpy" : "saxpy"; }
  void SetUp() override {
    BlasFixture::SetUp();
    int lo = 0, hi = 0;
    ASSERT_CUDA(cudaDeviceGetStreamPriorityRange(&lo, &hi));
    ASSERT_CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, hi));
    x = filled<T>(args.n, T(1));
    y = filled<T>(args.n, T(0));
    calls = 0;
  }
  void body() override {
    axpy_kernel<T><<<132, 256, 0, stream>>>(args.n, T(2), x, y);
    ASSERT_CUDA(cudaGetLastError());
    ++calls;
  }
  long verify() override { return mismatches<T>(y, args.n, T(2 * calls)); }
  void TearDown() override {
    ASSERT_CUDA(cudaFree(x));
    ASSERT_CUDA(cudaFree(y));
    ASSERT_CUDA(cudaStreamDestroy(stream));
    BlasFixture::TearDown();
  }

private:
  cudaStream_t stream = nullptr;
  T *x = nullptr, *y = nullptr;
  int calls = 0;
};

template <typename T>
class GemvTest : public BlasFixture {
public:
  using BlasFixture::BlasFixture;

protected:
  const char *name() const override { return sizeof(T) == 8 ? "dgemv" : "sgemv"; }
  void SetUp() override {
    BlasFixture::SetUp();
    A = filled<T>((size_t)args.m * args.m, T(1));
    x = filled<T>(args.m, T(0.5));
    y = filled<T>(args.m, T(0));
  }
  void body() override {
    gemv_kernel<T><<<args.m, 256, 0, stream>>>(args.m, A, x, y);
    ASSERT_CUDA(cudaGetLastError());
  }
  long verify() override { return mismatches<T>(y, args.m, T(0.5) * args.m); }
  void TearDown() override {
    ASSERT_CUDA(cudaFree(A));
    ASSERT_CUDA(cudaFree(x));
    ASSERT_CUDA(cudaFree(y));
    BlasFixture::TearDown();
  }

private:
  T *A = nullptr, *x = nullptr, *y = nullptr;
};

int main() {
  BenchArgs args;
  ASSERT_CUDA(cudaSetDevice(0));
  std::vector<std::unique_ptr<BlasFixture>> suite;
  suite.emplace_back(new GemvTest<double>(args));
  args.n = 1 << 24;
  suite.emplace_back(new AxpyTest<double>(args));
  suite.emplace_back(new AxpyTest<float>(args));

  long errors = 0;
  double worst = 1.0;
  for (auto &t : suite) {
    Sample s = t->execute();
    std::printf("%-6s %10.2f us (wall %10.2f us)\n", s.name.c_str(), s.reported_us, s.honest_us);
    errors += s.errors;
    double r = s.honest_us / std::max(s.reported_us, 1e-3);
    worst = std::max(worst, std::max(r, 1.0 / r));
  }
  if (errors)
    std::printf("WRONG %ld\n", errors);
  else if (worst > 1.5)
    std::printf("SLOW %.2f\n", worst);
  else
    std::printf("DONE\n");
  return 0;
}
