#pragma once
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <deque>
#include <mutex>
#include <thread>

#define CUDA_OK(x)                                                        \
  {                                                                       \
    cudaError_t rc_ = (x);                                                \
    if (rc_ != cudaSuccess) {                                             \
      std::printf("ERROR %s\n", cudaGetErrorName(rc_));                   \
      std::fflush(stdout);                                                \
      std::_Exit(2);                                                      \
    }                                                                     \
  }

#ifndef NX
#define NX 512
#endif
#ifndef NY
#define NY 256
#endif
#define NCELL (NX * NY)
#define MAX_SNAP 16

struct RunOptions {
  int nsteps = 32;
  int out_every = 4;
  int step_us = 4000;
  int header_words = 1 << 16;
  int header_ms = 30;
};

struct SnapReq {
  const float *h;
  int step;
  int slot;
};

// Events shared by the time loop and the writer; one pair per snapshot.
extern cudaEvent_t ev_ready[MAX_SNAP];
extern cudaEvent_t ev_saved[MAX_SNAP];

struct Writer {
  std::thread th;
  std::mutex mu;
  std::condition_variable cv;
  std::deque<SnapReq> q;
  bool closing = false;
  cudaStream_t stream = nullptr;
  float *host = nullptr;
  unsigned checksum = 0;
  long bad_cells = 0;
  RunOptions opt;

  void open(const RunOptions &o);
  void submit(const SnapReq &r);
  void close();
  void loop();
};

void launch_step(const float *in, float *out, int us, cudaStream_t s);
