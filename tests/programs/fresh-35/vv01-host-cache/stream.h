#pragma once
#include <cuda_runtime.h>

#include <stdexcept>

namespace pico {

inline void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorName(code));
}

// A borrowed stream; the pool below owns the handles for the whole process.
class Stream {
 public:
  Stream() = default;
  explicit Stream(cudaStream_t raw) : raw_(raw) {}
  cudaStream_t get() const { return raw_; }
  void synchronize() const { check(cudaStreamSynchronize(raw_)); }

 private:
  cudaStream_t raw_ = nullptr;
};

Stream stream_from_pool();

// The stream on which this thread issues its operators.
Stream current_stream();
void set_current_stream(Stream s);

class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&ev_, cudaEventDisableTiming)); }
  ~Event() {
    if (ev_) cudaEventDestroy(ev_);
  }
  Event(Event&& o) noexcept : ev_(o.ev_) { o.ev_ = nullptr; }
  Event(const Event&) = delete;
  void record(Stream s) { check(cudaEventRecord(ev_, s.get())); }
  void block(Stream s) const { check(cudaStreamWaitEvent(s.get(), ev_, 0)); }
  bool done() const {
    cudaError_t e = cudaEventQuery(ev_);
    if (e == cudaErrorNotReady) (void)cudaGetLastError();
    return e == cudaSuccess;
  }

 private:
  cudaEvent_t ev_ = nullptr;
};

}  // namespace pico
