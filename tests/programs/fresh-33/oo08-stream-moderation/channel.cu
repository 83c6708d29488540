#include "channel.h"

namespace mod {
namespace {

__device__ unsigned long long wallNs() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

// Stand-in for the safety model: one block per tile.
__global__ void classify(const uint8_t* frame, int tilePixels, unsigned micros, Verdict* out) {
  const unsigned long long until = wallNs() + micros * 1000ull;
  while (wallNs() < until) {
  }
  __shared__ unsigned blocked, digest;
  if (threadIdx.x == 0) blocked = digest = 0;
  __syncthreads();
  const uint8_t* tile = frame + blockIdx.x * tilePixels;
  for (int i = threadIdx.x; i < tilePixels; i += blockDim.x) {
    if (tile[i] > 200) atomicAdd(&blocked, 1u);
    atomicAdd(&digest, tile[i] * (1u + i % 7));
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = {blocked, digest};
}

}  // namespace

Channel::Channel(int id, const ServiceConfig& config, ChannelMemory memory)
    : id_(id),
      config_(config),
      frame_(memory.frames, size_t(config.width) * config.height),
      verdicts_(memory.verdicts, kTiles) {
  MOD_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  MOD_CHECK(cudaMalloc(&deviceFrame_, frame_.bytes()));
  MOD_CHECK(cudaMalloc(&deviceVerdicts_, verdicts_.bytes()));
}

Channel::~Channel() {
  cudaStreamDestroy(stream_);
  cudaFree(deviceFrame_);
  cudaFree(deviceVerdicts_);
}

void Channel::submit(int frameNo) {
  for (size_t i = 0; i < frame_.size(); ++i) frame_[i] = uint8_t(i * 31 + frameNo * 17 + id_ * 5);
  MOD_CHECK(cudaMemcpyAsync(deviceFrame_, frame_.data(), frame_.bytes(), cudaMemcpyHostToDevice, stream_));
  classify<<<kTiles, 128, 0, stream_>>>(deviceFrame_, int(frame_.size()) / kTiles, config_.modelMicros,
                                        deviceVerdicts_);
  MOD_CHECK(cudaGetLastError());
  MOD_CHECK(cudaMemcpyAsync(verdicts_.data(), deviceVerdicts_, verdicts_.bytes(), cudaMemcpyDeviceToHost, stream_));
}

int Channel::settle() {
  MOD_CHECK(cudaStreamSynchronize(stream_));
  int wrong = 0;
  const size_t pixels = frame_.size() / kTiles;
  for (int t = 0; t < kTiles; ++t) {
    Verdict want{0, 0};
    for (size_t i = 0; i < pixels; ++i) {
      const uint8_t v = frame_[t * pixels + i];
      want.blockedTiles += v > 200;
      want.digest += v * (1u + unsigned(i % 7));
    }
    wrong += verdicts_[t].blockedTiles != want.blockedTiles || verdicts_[t].digest != want.digest;
  }
  return wrong;
}

}  // namespace mod
