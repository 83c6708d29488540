#include "quote_loop.hpp"

#include <atomic>
#include <new>

#include "device_array.hpp"

namespace vol {

struct mailbox {
  volatile unsigned asked;
  volatile unsigned answered;
  volatile int leave;
  volatile int count;
  volatile float strike[quote_loop::capacity];
  volatile float tenor[quote_loop::capacity];
  volatile float answer[quote_loop::capacity];
};

namespace {

__device__ float interpolate(const float* surface, int strikes, int tenors,
                             float s, float t) {
  const int i = min(max(static_cast<int>(s), 0), strikes - 2);
  const int j = min(max(static_cast<int>(t), 0), tenors - 2);
  const float a = s - i, b = t - j;
  const float* row = surface + static_cast<long>(j) * strikes + i;
  const float low = row[0] * (1.0f - a) + row[1] * a;
  const float high = row[strikes] * (1.0f - a) + row[strikes + 1] * a;
  return low * (1.0f - b) + high * b;
}

__global__ void serve(mailbox* box, const float* surface, int strikes, int tenors) {
  __shared__ unsigned ticket;
  __shared__ bool leaving;
  unsigned seen = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      while (box->asked == seen && box->leave == 0) {
      }
      ticket = box->asked;
      leaving = ticket == seen;
      __threadfence_system();
    }
    __syncthreads();
    if (leaving) return;
    seen = ticket;
    const int i = threadIdx.x;
    if (i < box->count) {
      box->answer[i] =
          interpolate(surface, strikes, tenors, box->strike[i], box->tenor[i]);
    }
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) box->answered = seen;
  }
}

}  // namespace

quote_loop::quote_loop() {
  ensure(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  void* p = nullptr;
  ensure(cudaHostAlloc(&p, sizeof(mailbox), cudaHostAllocMapped));
  box_ = new (p) mailbox();
}

quote_loop::~quote_loop() {
  box_->leave = 1;
  cudaStreamSynchronize(stream_);
  cudaFreeHost(box_);
  cudaStreamDestroy(stream_);
}

void quote_loop::start(const float* surface, int strikes, int tenors) {
  void* mapped = nullptr;
  ensure(cudaHostGetDevicePointer(&mapped, box_, 0));
  serve<<<1, capacity, 0, stream_>>>(static_cast<mailbox*>(mapped), surface,
                                     strikes, tenors);
  ensure(cudaGetLastError());
}

void quote_loop::ask(const point* where, int count, float* answers) {
  std::lock_guard<std::mutex> hold(mutex_);
  for (int i = 0; i < count; ++i) {
    box_->strike[i] = where[i].strike;
    box_->tenor[i] = where[i].tenor;
  }
  box_->count = count;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  box_->asked = ++sent_;
  while (box_->answered != sent_) {
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (int i = 0; i < count; ++i) answers[i] = box_->answer[i];
}

}  // namespace vol
