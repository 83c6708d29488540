#pragma once

#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <utility>

namespace drv {

inline void ensure(CUresult r) {
  if (r == CUDA_SUCCESS) return;
  const char* text = nullptr;
  if (cuGetErrorName(r, &text) != CUDA_SUCCESS) text = "CUDA_ERROR_UNKNOWN";
  std::printf("ERROR %s\n", text);
  std::fflush(stdout);
  std::_Exit(1);
}

class Context {
 public:
  Context() {
    ensure(cuInit(0));
    ensure(cuDeviceGet(&device_, 0));
    CUcontext ctx;
    ensure(cuDevicePrimaryCtxRetain(&ctx, device_));
    ensure(cuCtxSetCurrent(ctx));
  }
  ~Context() { cuDevicePrimaryCtxRelease(device_); }

 private:
  CUdevice device_ = 0;
};

class Event {
 public:
  explicit Event(unsigned flags) { ensure(cuEventCreate(&e_, flags)); }
  ~Event() { cuEventDestroy(e_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator CUevent() const { return e_; }

 private:
  CUevent e_ = nullptr;
};

class Queue {
 public:
  Queue() { ensure(cuStreamCreate(&s_, CU_STREAM_NON_BLOCKING)); }
  ~Queue() { cuStreamDestroy(s_); }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  Queue& after(std::initializer_list<CUevent> events) {
    for (CUevent e : events) ensure(cuStreamWaitEvent(s_, e, CU_EVENT_WAIT_DEFAULT));
    return *this;
  }

  template <class... Args>
  Queue& run(CUfunction f, unsigned blocks, Args... args) {
    void* params[] = {static_cast<void*>(&args)...};
    ensure(cuLaunchKernel(f, blocks, 1, 1, 256, 1, 1, 0, s_, params, nullptr));
    return *this;
  }

  Queue& mark(CUevent e) {
    ensure(cuEventRecord(e, s_));
    return *this;
  }

 private:
  CUstream s_ = nullptr;
};

class Memory {
 public:
  explicit Memory(std::size_t bytes) {
    ensure(cuMemAlloc(&p_, bytes));
    ensure(cuMemsetD8(p_, 0, bytes));
  }
  ~Memory() { cuMemFree(p_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  CUdeviceptr get() const { return p_; }

 private:
  CUdeviceptr p_ = 0;
};

}  // namespace drv
