#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace feed {

inline void ok(cudaError_t e) {
  if (e != cudaSuccess) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
  }
}

constexpr int kMessages = 4096;  // per packet
constexpr int kLevels = 1024;
constexpr int kPackets = 16;

struct Header {
  uint32_t sequence;
  uint32_t count;
};

struct Message {
  uint32_t level;
  int32_t delta;
};

inline Message message(uint32_t packet, uint32_t i) {
  return {(i * 37u + packet * 5u) % kLevels, static_cast<int32_t>((packet * packet + i) % 23u) + 1};
}

// A pinned packet buffer that goes round between the reader and the GPU.
class Slot {
 public:
  Slot() {
    ok(cudaMallocHost(&header, sizeof(Header)));
    ok(cudaMallocHost(&body, kMessages * sizeof(Message)));
    ok(cudaEventCreateWithFlags(&sent_, cudaEventDisableTiming));
  }
  ~Slot() {
    cudaEventDestroy(sent_);
    cudaFreeHost(body);
    cudaFreeHost(header);
  }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  void acquire() { ok(cudaEventSynchronize(sent_)); }
  void mark_sent(cudaStream_t s) { ok(cudaEventRecord(sent_, s)); }

  Header* header = nullptr;
  Message* body = nullptr;

 private:
  cudaEvent_t sent_ = nullptr;
};

}  // namespace feed
