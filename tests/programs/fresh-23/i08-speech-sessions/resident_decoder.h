#pragma once

#include <cuda_runtime.h>

struct Mailbox {
  unsigned posted;
  unsigned finished;
  int stop;
  int sample;
  const int* weights;
  int weight_count;
  long long* state;
  long long score;
};

// A decoder that stays on the device and takes one request after the other from its mailbox.
class ResidentDecoder {
 public:
  ResidentDecoder();
  ~ResidentDecoder();
  ResidentDecoder(const ResidentDecoder&) = delete;
  ResidentDecoder& operator=(const ResidentDecoder&) = delete;

  void start();
  long long decode(const int* weights, int weight_count, long long* state, int sample);
  void stop();

 private:
  unsigned post();

  cudaStream_t stream_ = nullptr;
  Mailbox* box_ = nullptr;
  Mailbox* d_box_ = nullptr;
  bool running_ = false;
};
