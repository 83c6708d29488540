#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <string>
#include <vector>

#define ASSERT_CUDA(e)                                                     \
  do {                                                                     \
    cudaError_t err_ = (e);                                                \
    if (err_ != cudaSuccess) {                                             \
      std::printf("ERROR %s\n", cudaGetErrorName(err_));                   \
      std::fflush(stdout);                                                 \
      std::_Exit(1);                                                       \
    }                                                                      \
  } while (0)

struct BenchArgs {
  int n = 1 << 22;
  int m = 2048;
  int warmup = 3;
  int reps = 40;
};

struct Sample {
  std::string name;
  double reported_us;
  double honest_us;
  long errors;
};

// A test case of the suite: set up, warm up, time, verify, tear down.
class BlasFixture {
public:
  explicit BlasFixture(const BenchArgs &a) : args(a) {}
  virtual ~BlasFixture() = default;
  Sample execute();

protected:
  virtual const char *name() const = 0;
  virtual void SetUp();
  virtual void body() = 0;
  virtual long verify() = 0;
  virtual void TearDown();

  void tic() { ASSERT_CUDA(cudaEventRecord(ev[0], stream)); }
  void toc() { ASSERT_CUDA(cudaEventRecord(ev[1], stream)); }
  double elapsed_us();

  BenchArgs args;
  cudaStream_t stream = nullptr;
  cudaEvent_t ev[2] = {nullptr, nullptr};
};
