#ifndef UPLOAD_RING_H
#define UPLOAD_RING_H

#include <cuda_runtime.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

// Pinned staging memory for asset uploads, carved out of one ring of bytes.
//
//   Span s;
//   ring.open(bytes, &s);
//   fill(s.data);
//   ring.commit(s, dst, stream);
//
// A thread holds at most one open span at a time.
class UploadRing {
 public:
  struct Span {
    unsigned char* data = nullptr;
    size_t bytes = 0;
    uint64_t id = 0;
  };

  UploadRing() = default;
  ~UploadRing();
  UploadRing(const UploadRing&) = delete;
  UploadRing& operator=(const UploadRing&) = delete;

  cudaError_t init(size_t capacity);
  cudaError_t open(size_t bytes, Span* out);
  cudaError_t commit(const Span& span, void* dst, cudaStream_t consumer);
  void discard(const Span& span);
  cudaError_t drain();

  size_t capacity() const { return capacity_; }
  uint64_t stalls() const { return stalls_; }

 private:
  enum class State { Open, Flying, Dropped };
  struct Record {
    uint64_t id;
    uint64_t end;
    State state;
    cudaEvent_t landed;
  };

  bool place(size_t bytes, uint64_t* pos) const;
  cudaError_t retire_front(std::unique_lock<std::mutex>& lock);
  cudaError_t borrow_event(cudaEvent_t* e);

  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned char* base_ = nullptr;
  size_t capacity_ = 0;
  uint64_t head_ = 0;
  uint64_t tail_ = 0;
  uint64_t next_id_ = 0;
  uint64_t stalls_ = 0;
  std::deque<Record> records_;
  std::vector<cudaEvent_t> idle_;
  cudaStream_t copy_ = nullptr;
  cudaEvent_t gate_ = nullptr;
};

#endif
