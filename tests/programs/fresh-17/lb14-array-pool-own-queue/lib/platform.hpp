#pragma once
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace fa {

class FaError : public std::runtime_error {
 public:
  FaError(const char* func, const char* file, int line, const std::string& msg)
      : std::runtime_error(std::string("FaError in ") + func + " at " + file + ":" + std::to_string(line) + ": " + msg) {}
};

#define FA_CUDA_CHECK(fn)                                                              \
  do {                                                                                 \
    cudaError_t _e = (fn);                                                             \
    if (_e != cudaSuccess) {                                                           \
      throw ::fa::FaError(__func__, __FILE__, __LINE__, cudaGetErrorString(_e));       \
    }                                                                                  \
  } while (0)

/// A marker in a queue. Move only.
class Event {
 public:
  Event() = default;
  Event(Event&& o) noexcept : e_(o.e_) { o.e_ = nullptr; }
  Event& operator=(Event&& o) noexcept {
    std::swap(e_, o.e_);
    return *this;
  }
  ~Event() {
    if (e_) cudaEventDestroy(e_);
  }
  void mark(cudaStream_t queue) {
    if (!e_) FA_CUDA_CHECK(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming));
    FA_CUDA_CHECK(cudaEventRecord(e_, queue));
  }
  void enqueueWait(cudaStream_t queue) const {
    if (e_) FA_CUDA_CHECK(cudaStreamWaitEvent(queue, e_, 0));
  }
  void block() const {
    if (e_) FA_CUDA_CHECK(cudaEventSynchronize(e_));
  }

 private:
  cudaEvent_t e_ = nullptr;
};

inline Event makeEvent(cudaStream_t queue) {
  Event e;
  e.mark(queue);
  return e;
}

constexpr int kMaxQueues = 4;

void setActiveQueue(int id);
int getActiveQueueId();
cudaStream_t getQueueHandle(int id);
inline cudaStream_t getActiveQueue() { return getQueueHandle(getActiveQueueId()); }

/// Waits for the work of a queue; -1: the active one
void sync(int id = -1);

}  // namespace fa
