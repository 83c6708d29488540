#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "flow.h"

#define GPU(expr)                                          \
  do {                                                     \
    cudaError_t rc_ = (expr);                              \
    if (rc_ != cudaSuccess) {                              \
      std::printf("ERROR %s\n", cudaGetErrorName(rc_));    \
      std::exit(1);                                        \
    }                                                      \
  } while (0)

struct VideoFormat {
  int frame_bytes = 64 * 1024;
  int gop_length = 8;
  int gops = 4;
  unsigned long long frame_ns = 6ull * 1000 * 1000;
  int frames() const { return gop_length * gops; }
};

struct Packet {
  int frame = 0;
  int gop = 0;
  bool closes_gop = false;
  const std::uint8_t* payload = nullptr;
};

class Encoder {
 public:
  Encoder(const VideoFormat& format, CreditGate& gate, Channel<Packet>& packets);
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  std::uint8_t* picture(int frame) { return frames_[frame]->input; }
  void submit(int frame);

  // Rate-control total and encoding time of a GOP.
  unsigned long long weigh(int gop, float* milliseconds);

 private:
  struct Frame {
    Encoder* encoder;
    Packet packet;
    std::uint8_t* input;
    std::uint8_t* output;
    std::uint8_t* d_input;
  };
  struct Gop {
    cudaEvent_t opened;
    cudaEvent_t sealed;
    unsigned long long* weight;
  };

  static void CUDART_CB deliver(void* user);

  VideoFormat format_;
  CreditGate& gate_;
  Channel<Packet>& packets_;
  cudaStream_t stream_;
  std::uint8_t* d_coded_;
  unsigned long long* d_weights_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<Gop> gops_;
};
