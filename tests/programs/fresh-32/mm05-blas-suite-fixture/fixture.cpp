#include "fixture.h"
#include <chrono>

void BlasFixture::SetUp() {
  ASSERT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (auto &e : ev) ASSERT_CUDA(cudaEventCreate(&e));
}

void BlasFixture::TearDown() {
  for (auto &e : ev) ASSERT_CUDA(cudaEventDestroy(e));
  ASSERT_CUDA(cudaStreamDestroy(stream));
}

double BlasFixture::elapsed_us() {
  float ms = 0.0f;
  ASSERT_CUDA(cudaEventSynchronize(ev[1]));
  ASSERT_CUDA(cudaEventElapsedTime(&ms, ev[0], ev[1]));
  return 1000.0 * ms;
}

Sample BlasFixture::execute() {
  using clk = std::chrono::steady_clock;
  SetUp();
  for (int i = 0; i < args.warmup; ++i) body();
  ASSERT_CUDA(cudaDeviceSynchronize());

  auto t0 = clk::now();
  for (int i = 0; i < args.reps; ++i) body();
  ASSERT_CUDA(cudaDeviceSynchronize());
  double honest = std::chrono::duration<double, std::micro>(clk::now() - t0).count();

  tic();
  for (int i = 0; i < args.reps; ++i) body();
  toc();
  double reported = elapsed_us();
  ASSERT_CUDA(cudaDeviceSynchronize());

  Sample s{name(), reported / args.reps, honest / args.reps, verify()};
  TearDown();
  return s;
}
