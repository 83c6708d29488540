#pragma once
#include "host_cache.h"
#include "stream.h"

namespace pico {

class HostTensor {
 public:
  explicit HostTensor(std::size_t n)
      : n_(n), data_((float*)HostCache::instance().allocate(n * 4)) {}
  ~HostTensor() { HostCache::instance().release(data_); }
  HostTensor(const HostTensor&) = delete;

  float* data() const { return data_; }
  std::size_t size() const { return n_; }

 private:
  std::size_t n_;
  float* data_;
};

class DeviceTensor {
 public:
  explicit DeviceTensor(std::size_t n) : n_(n) {
    check(cudaMalloc(&data_, n * sizeof(float)));
  }
  ~DeviceTensor() { cudaFree(data_); }
  DeviceTensor(const DeviceTensor&) = delete;

  float* data() const { return data_; }
  std::size_t size() const { return n_; }

 private:
  std::size_t n_;
  float* data_ = nullptr;
};

// Asynchronous; `stream` orders the copy against the caller's other work.
void copy_(DeviceTensor& dst, const HostTensor& src, Stream stream);

namespace ops {
// Per-element jitter from a congruential generator with many burn-in rounds.
void draw_jitter(DeviceTensor& out, unsigned seed, Stream stream);
void add_(DeviceTensor& self, const DeviceTensor& other, Stream stream);
}  // namespace ops

}  // namespace pico
