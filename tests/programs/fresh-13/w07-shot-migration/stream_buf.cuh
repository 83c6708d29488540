#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#define SEIS_CHECK(call)                                  \
  if (cudaError_t seis_e = (call); seis_e != cudaSuccess) \
  seis::fail(seis_e)

namespace seis {

[[noreturn]] inline void fail(cudaError_t e) {
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::fflush(stdout);
  std::_Exit(1);
}

// Scratch memory from the device's pool, tied to a stream.
template <class T>
class StreamBuf {
 public:
  StreamBuf(size_t n, cudaStream_t s) : n_(n), stream_(s) {
    SEIS_CHECK(cudaMallocAsync(reinterpret_cast<void**>(&p_), n * sizeof(T), s));
  }
  StreamBuf(StreamBuf&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(o.n_), stream_(o.stream_) {}
  StreamBuf& operator=(StreamBuf&&) = delete;
  ~StreamBuf() {
    if (p_) cudaFreeAsync(p_, stream_);
  }

  T* data() const { return p_; }
  size_t size() const { return n_; }

 private:
  T* p_ = nullptr;
  size_t n_;
  cudaStream_t stream_;
};

template <class Tag>
struct Stream {
  Stream() { SEIS_CHECK(cudaStreamCreateWithFlags(&h, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(h); }
  Stream(const Stream&) = delete;
  operator cudaStream_t() const { return h; }
  cudaStream_t h = nullptr;
};

}  // namespace seis
