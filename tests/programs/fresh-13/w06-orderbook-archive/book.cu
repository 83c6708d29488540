#include "book.cuh"

using feed::ok;

namespace {

__device__ unsigned long long wall_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

// Sequence check and risk checks against the current book.
__global__ void admit(const feed::Header* h, uint32_t* state) {
  const unsigned long long end = wall_ns() + 20000000ull;
  while (wall_ns() < end) {
  }
  if (threadIdx.x == 0) {
    if (h->sequence != state[0]) state[1]++;
    state[0] = h->sequence + 1;
  }
}

__global__ void apply(const feed::Header* h, const feed::Message* m, int* levels) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h->count) atomicAdd(&levels[m[i].level], m[i].delta);
}

}  // namespace

Book::Book() {
  ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  ok(cudaMalloc(&header_, sizeof(feed::Header)));
  ok(cudaMalloc(&body_, feed::kMessages * sizeof(feed::Message)));
  ok(cudaMalloc(&levels_, feed::kLevels * sizeof(int)));
  ok(cudaMalloc(&state_, 2 * sizeof(uint32_t)));
  ok(cudaMemsetAsync(levels_, 0, feed::kLevels * sizeof(int), stream_));
  ok(cudaMemsetAsync(state_, 0, 2 * sizeof(uint32_t), stream_));
}

Book::~Book() {
  cudaStreamDestroy(stream_);
  cudaFree(state_);
  cudaFree(levels_);
  cudaFree(body_);
  cudaFree(header_);
}

void Book::submit(feed::Slot& slot) {
  ok(cudaMemcpyAsync(header_, slot.header, sizeof(feed::Header), cudaMemcpyHostToDevice, stream_));
  admit<<<1, 32, 0, stream_>>>(header_, state_);
  ok(cudaMemcpyAsync(body_, slot.body, feed::kMessages * sizeof(feed::Message), cudaMemcpyHostToDevice, stream_));
  slot.mark_sent(stream_);
  apply<<<feed::kMessages / 256, 256, 0, stream_>>>(header_, body_, levels_);
  ok(cudaGetLastError());
}

void Book::snapshot(int* levels, uint32_t* gaps) {
  uint32_t state[2];
  ok(cudaStreamSynchronize(stream_));
  ok(cudaMemcpy(levels, levels_, feed::kLevels * sizeof(int), cudaMemcpyDeviceToHost));
  ok(cudaMemcpy(state, state_, sizeof state, cudaMemcpyDeviceToHost));
  *gaps = state[1];
}
