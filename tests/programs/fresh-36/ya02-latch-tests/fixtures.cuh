#pragma once

#include "minitest.h"

#include <memory>

// Kernel that occupies its stream for as long as the flag is zero.
static __global__ void holdUntil(const volatile unsigned* flag) {
  while (*flag == 0) {
    __nanosleep(2000);
  }
}

static __global__ void fillRamp(int* data, int n, int base) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    data[i] = base + i;
  }
}

// Lets a test keep a stream busy for exactly as long as it wants.
class Latch {
 public:
  Latch() {
    mini::require(cudaHostAlloc(&host_, sizeof(unsigned), cudaHostAllocMapped));
    *host_ = 0;
    mini::require(cudaHostGetDevicePointer(&device_, host_, 0));
  }
  ~Latch() { cudaFreeHost(host_); }

  void hold(cudaStream_t stream) {
    holdUntil<<<1, 1, 0, stream>>>(device_);
    mini::require(cudaGetLastError());
  }
  void open() { *static_cast<volatile unsigned*>(host_) = 1; }

 private:
  unsigned* host_ = nullptr;
  unsigned* device_ = nullptr;
};

inline bool busy(cudaStream_t stream) {
  const cudaError_t state = cudaStreamQuery(stream);
  if (state == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return true;
  }
  mini::require(state);
  return false;
}

inline bool pending(cudaEvent_t event) {
  const cudaError_t state = cudaEventQuery(event);
  if (state == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return true;
  }
  mini::require(state);
  return false;
}

class StreamFixture : public mini::Fixture {
 public:
  void SetUp() override {
    mini::require(cudaStreamCreateWithFlags(&front_, cudaStreamNonBlocking));
    mini::require(cudaStreamCreateWithFlags(&back_, cudaStreamNonBlocking));
    latch_ = std::make_unique<Latch>();
  }

  void TearDown() override {
    latch_->open();
    mini::require(cudaStreamSynchronize(front_));
    mini::require(cudaStreamSynchronize(back_));
    mini::require(cudaStreamDestroy(front_));
    mini::require(cudaStreamDestroy(back_));
    latch_.reset();
  }

 protected:
  cudaStream_t front_ = nullptr;
  cudaStream_t back_ = nullptr;
  std::unique_ptr<Latch> latch_;
};

class BufferFixture : public StreamFixture {
 public:
  void SetUp() override {
    StreamFixture::SetUp();
    mini::require(cudaMalloc(&data_, kCount * sizeof(int)));
    mini::require(cudaMallocHost(&mirror_, kCount * sizeof(int)));
    mini::require(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
    fill(front_, -kCount);
    fetch(front_);
    mini::require(cudaStreamSynchronize(front_));
  }

  void TearDown() override {
    StreamFixture::TearDown();
    mini::require(cudaEventDestroy(ready_));
    mini::require(cudaFree(data_));
    mini::require(cudaFreeHost(mirror_));
  }

 protected:
  static constexpr int kCount = 1 << 16;

  void fill(cudaStream_t stream, int base) {
    fillRamp<<<32, 256, 0, stream>>>(data_, kCount, base);
    mini::require(cudaGetLastError());
  }
  void fetch(cudaStream_t stream) {
    mini::require(
        cudaMemcpyAsync(mirror_, data_, kCount * sizeof(int), cudaMemcpyDeviceToHost, stream));
  }
  int mismatches(int base) const {
    int bad = 0;
    for (int i = 0; i < kCount; ++i) bad += mirror_[i] != base + i;
    return bad;
  }

  int* data_ = nullptr;
  int* mirror_ = nullptr;
  cudaEvent_t ready_ = nullptr;
};
