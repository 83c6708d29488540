#include "upload_ring.h"

#define TRY(x)                         \
  do {                                 \
    cudaError_t try_err_ = (x);        \
    if (try_err_ != cudaSuccess) return try_err_; \
  } while (0)

namespace {
constexpr size_t kAlign = 256;
size_t aligned(size_t n) { return (n + kAlign - 1) / kAlign * kAlign; }
}  // namespace

cudaError_t UploadRing::init(size_t capacity) {
  capacity_ = aligned(capacity);
  TRY(cudaMallocHost(reinterpret_cast<void**>(&base_), capacity_));
  TRY(cudaStreamCreateWithFlags(&copy_, cudaStreamNonBlocking));
  TRY(cudaEventCreateWithFlags(&gate_, cudaEventDisableTiming));
  return cudaSuccess;
}

UploadRing::~UploadRing() {
  if (copy_) {
    drain();
    cudaStreamSynchronize(copy_);
    cudaStreamDestroy(copy_);
  }
  for (cudaEvent_t e : idle_) cudaEventDestroy(e);
  if (gate_) cudaEventDestroy(gate_);
  if (base_) cudaFreeHost(base_);
}

cudaError_t UploadRing::borrow_event(cudaEvent_t* e) {
  if (!idle_.empty()) {
    *e = idle_.back();
    idle_.pop_back();
    return cudaSuccess;
  }
  return cudaEventCreateWithFlags(e, cudaEventDisableTiming);
}

// head_ and tail_ count bytes since the start and never wrap; a span does not
// straddle the end of the ring, so the rest of a lap may be skipped.
bool UploadRing::place(size_t bytes, uint64_t* pos) const {
  uint64_t p = head_;
  const size_t off = static_cast<size_t>(p % capacity_);
  if (off + bytes > capacity_) p += capacity_ - off;
  *pos = p;
  return p + bytes - tail_ <= capacity_;
}

cudaError_t UploadRing::retire_front(std::unique_lock<std::mutex>& lock) {
  Record& front = records_.front();
  switch (front.state) {
    case State::Open:
      changed_.wait(lock);
      return cudaSuccess;
    case State::Flying:
      TRY(cudaEventSynchronize(front.landed));
      idle_.push_back(front.landed);
      break;
    case State::Dropped:
      break;
  }
  tail_ = front.end;
  records_.pop_front();
  return cudaSuccess;
}

cudaError_t UploadRing::open(size_t bytes, Span* out) {
  const size_t need = aligned(bytes);
  if (need > capacity_ / 2) return cudaErrorInvalidValue;

  std::unique_lock<std::mutex> lock(mutex_);
  uint64_t pos = 0;
  bool stalled = false;
  while (!place(need, &pos)) {
    stalled = true;
    if (records_.empty())
      tail_ = head_;
    else
      TRY(retire_front(lock));
  }
  if (stalled) ++stalls_;
  Record r;
  r.id = next_id_++;
  r.end = pos + need;
  r.state = State::Open;
  r.landed = nullptr;
  records_.push_back(r);
  head_ = r.end;

  out->data = base_ + pos % capacity_;
  out->bytes = bytes;
  out->id = r.id;
  return cudaSuccess;
}

cudaError_t UploadRing::commit(const Span& span, void* dst, cudaStream_t consumer) {
  std::lock_guard<std::mutex> lock(mutex_);
  Record& r = records_[span.id - records_.front().id];
  TRY(borrow_event(&r.landed));

  TRY(cudaEventRecord(gate_, consumer));
  TRY(cudaStreamWaitEvent(copy_, gate_, 0));
  TRY(cudaMemcpyAsync(dst, span.data, span.bytes, cudaMemcpyHostToDevice, copy_));
  TRY(cudaEventRecord(r.landed, copy_));
  TRY(cudaStreamWaitEvent(consumer, r.landed, 0));

  r.state = State::Flying;
  changed_.notify_all();
  return cudaSuccess;
}

void UploadRing::discard(const Span& span) {
  std::lock_guard<std::mutex> lock(mutex_);
  records_[span.id - records_.front().id].state = State::Dropped;
  changed_.notify_all();
}

cudaError_t UploadRing::drain() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!records_.empty()) TRY(retire_front(lock));
  return cudaSuccess;
}
