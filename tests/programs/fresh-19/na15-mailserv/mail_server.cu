// mail_server.cu - low-latency evaluation of small requests by a resident kernel.
//
//   MailServer srv;
//   srv.start();
//   srv.submit(req);  ...  Reply r = srv.fetch();   // replies come in request order
//   srv.stop();                                     // may be started again later
//
// At most kDepth requests may be waiting to be fetched. Replies that were not
// fetched before stop() are dropped. While the server runs, do not call anything
// that waits for the whole device. One host thread at a time.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>

namespace mail {

struct Request {
  float coeff[4];  // c0 + c1 x + c2 x^2 + c3 x^3
  float x;
};

struct Reply {
  float value;
  float slope;
};

constexpr int kDepth = 16;

struct Box {
  Request req[kDepth];
  Reply rep[kDepth];
  volatile std::uint64_t posted;    // host -> device
  volatile std::uint64_t answered;  // device -> host
  volatile int quit;                // host -> device
};

__global__ void server_loop(Box* box) {
  std::uint64_t seq = 0;
  for (;;) {
    while (box->posted == seq) {
      if (box->quit) return;
      __nanosleep(200);
    }
    __threadfence_system();
    const volatile Request* q = &box->req[seq % kDepth];
    const float x = q->x;
    const float c0 = q->coeff[0], c1 = q->coeff[1], c2 = q->coeff[2], c3 = q->coeff[3];
    volatile Reply* r = &box->rep[seq % kDepth];
    r->value = c0 + x * (c1 + x * (c2 + x * c3));
    r->slope = c1 + x * (2.f * c2 + x * 3.f * c3);
    __threadfence_system();
    box->answered = ++seq;
  }
}

class MailServer {
 public:
  MailServer() {
    check(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(Box), cudaHostAllocMapped));
    check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&dev_), box_, 0));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }

  ~MailServer() {
    if (running_) shut();
    cudaStreamDestroy(stream_);
    cudaFreeHost(box_);
  }

  MailServer(const MailServer&) = delete;
  MailServer& operator=(const MailServer&) = delete;

  void start() {
    if (running_) throw std::logic_error("already running");
    rewind();
    server_loop<<<1, 1, 0, stream_>>>(dev_);
    check(cudaGetLastError());
    running_ = true;
  }

  void submit(const Request& q) {
    if (!running_) throw std::logic_error("not running");
    if (waiting_ == kDepth) throw std::length_error("mailbox full");
    box_->req[posted_ % kDepth] = q;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->posted = ++posted_;
    ++waiting_;
  }

  Reply fetch() {
    if (!running_ || waiting_ == 0) throw std::logic_error("nothing to fetch");
    while (box_->answered <= fetched_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    Reply r = box_->rep[fetched_ % kDepth];
    ++fetched_;
    --waiting_;
    return r;
  }

  int waiting() const { return waiting_; }

  void stop() {
    if (!running_) return;
    check(shut());
  }

 private:
  static void check(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
  }

  void rewind() {
    box_->posted = 0;
    box_->answered = 0;
    box_->quit = 0;
    posted_ = 0;
    waiting_ = 0;
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  cudaError_t shut() {
    box_->quit = 1;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    running_ = false;
    return cudaStreamSynchronize(stream_);
  }

  Box* box_ = nullptr;
  Box* dev_ = nullptr;
  cudaStream_t stream_ = nullptr;
  std::uint64_t posted_ = 0;
  std::uint64_t fetched_ = 0;
  int waiting_ = 0;
  bool running_ = false;
};

}  // namespace mail
