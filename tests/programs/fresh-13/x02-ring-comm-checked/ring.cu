#include "ring.h"

#include <cstdlib>
#include <new>

#include "ring_kernels.cuh"

struct ringComm {
  ringConfig_t config{};
  float* slots = nullptr;
  float* result = nullptr;
  ring::Mailbox* box = nullptr;
  int* stop = nullptr;        // mapped host word
  size_t* counts = nullptr;   // mapped host ring of element counts
  cudaStream_t progress = nullptr;
  unsigned seq = 0;
  cudaError_t last = cudaSuccess;
};

#define RING_TRY(comm, call)                \
  do {                                      \
    cudaError_t e_ = (call);                \
    if (e_ != cudaSuccess) {                \
      (comm)->last = e_;                    \
      return ringCudaFailure;               \
    }                                       \
  } while (0)

// A round trip of one element through slot 0.
static ringResult_t selfTest(ringComm* c) {
  const float probe = 42.f;
  float back = 0.f;
  RING_TRY(c, cudaMemcpyAsync(c->result, &probe, sizeof(float), cudaMemcpyHostToDevice,
                              c->progress));
  RING_TRY(c, ring::launchStage(c->result, c->slots, 1, c->box, 0, c->progress));
  RING_TRY(c, ring::launchCollect(c->result, c->slots, 1, c->box, 0, c->progress));
  RING_TRY(c, cudaMemcpyAsync(&back, c->result, sizeof(float), cudaMemcpyDeviceToHost,
                              c->progress));
  RING_TRY(c, cudaStreamSynchronize(c->progress));
  return back == probe ? ringSuccess : ringInvalidArgument;
}

static ringResult_t setup(ringComm* c) {
  const size_t bytes = c->config.maxCount * sizeof(float);
  RING_TRY(c, cudaMalloc(&c->slots, bytes * c->config.ranks));
  RING_TRY(c, cudaMalloc(&c->result, bytes));
  RING_TRY(c, cudaMalloc(&c->box, sizeof(ring::Mailbox)));
  RING_TRY(c, cudaHostAlloc(&c->stop, sizeof(int), cudaHostAllocMapped));
  RING_TRY(c, cudaHostAlloc(&c->counts, 64 * sizeof(size_t), cudaHostAllocMapped));
  *c->stop = 0;
  RING_TRY(c, cudaStreamCreateWithFlags(&c->progress, cudaStreamNonBlocking));
  RING_TRY(c, cudaMemset(c->box, 0, sizeof(ring::Mailbox)));
  RING_TRY(c, cudaDeviceSynchronize());
  ringResult_t tested = selfTest(c);
  if (tested != ringSuccess) return tested;
  RING_TRY(c, cudaMemset(c->box, 0, sizeof(ring::Mailbox)));
  RING_TRY(c, cudaDeviceSynchronize());
  RING_TRY(c, ring::launchProgress(c->box, c->slots, c->result, c->counts, c->config.maxCount,
                                   c->config.ranks, c->stop, c->progress));
  return ringSuccess;
}

extern "C" ringResult_t ringCommCreate(ringComm_t* comm, const ringConfig_t* config) {
  if (!comm || !config || config->ranks < 1 || config->ranks > ring::kMaxRanks)
    return ringInvalidArgument;
  ringComm* c = new (std::nothrow) ringComm;
  if (!c) return ringInvalidArgument;
  c->config = *config;
  *comm = c;
  return setup(c);
}

extern "C" ringResult_t ringAllReduce(ringComm_t c, float* const* buffers, size_t count,
                                      const cudaStream_t* streams) {
  if (!c || count > c->config.maxCount) return ringInvalidArgument;
  const unsigned seq = ++c->seq;
  c->counts[seq % 64] = count;
  for (int r = 0; r < c->config.ranks; ++r)
    RING_TRY(c, ring::launchStage(buffers[r], c->slots + r * c->config.maxCount, count, c->box, r,
                                  streams[r]));
  for (int r = 0; r < c->config.ranks; ++r)
    RING_TRY(c, ring::launchCollect(buffers[r], c->result, count, c->box, seq, streams[r]));
  return ringSuccess;
}

extern "C" ringResult_t ringCommDestroy(ringComm_t c) {
  if (!c) return ringInvalidArgument;
  *(volatile int*)c->stop = 1;
  RING_TRY(c, cudaStreamSynchronize(c->progress));
  RING_TRY(c, cudaStreamDestroy(c->progress));
  RING_TRY(c, cudaFree(c->slots));
  RING_TRY(c, cudaFree(c->result));
  RING_TRY(c, cudaFree(c->box));
  RING_TRY(c, cudaFreeHost(c->stop));
  RING_TRY(c, cudaFreeHost(c->counts));
  delete c;
  return ringSuccess;
}

extern "C" cudaError_t ringLastCudaError(ringComm_t c) { return c ? c->last : cudaSuccess; }
