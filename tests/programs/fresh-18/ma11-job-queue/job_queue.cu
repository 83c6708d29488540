// Persistent-kernel job queue. One resident block polls a device-side tail
// counter; the host feeds jobs through a second stream.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Job {
  int op;  // 0: stop, 1: add, 2: multiply
  int lhs, rhs;
  int result;
};

struct QueueState {
  unsigned tail;
  unsigned done;
};

#define JQ(call)                                                        \
  do {                                                                  \
    if (cudaError_t err = (call)) {                                     \
      std::fprintf(stderr, "job queue, line %d: %s\n", __LINE__,        \
                   cudaGetErrorString(err));                            \
      std::exit(2);                                                     \
    }                                                                   \
  } while (0)

__global__ void resident_worker(QueueState* q, Job* jobs) {
  volatile unsigned* tail = &q->tail;
  for (unsigned head = 0;; ++head) {
    while (*tail <= head) {}
    __threadfence_system();
    volatile Job* j = jobs + head;
    const int op = j->op;
    if (op == 1) j->result = j->lhs + j->rhs;
    if (op == 2) j->result = j->lhs * j->rhs;
    __threadfence();
    q->done = head + 1;
    if (op == 0) return;
  }
}

class JobQueue {
 public:
  explicit JobQueue(unsigned capacity) : cap_(capacity) {
    JQ(cudaStreamCreateWithFlags(&worker_, cudaStreamNonBlocking));
    JQ(cudaStreamCreateWithFlags(&feed_, cudaStreamNonBlocking));
    JQ(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
    JQ(cudaMalloc(&state_, sizeof(QueueState)));
    JQ(cudaMalloc(&jobs_, cap_ * sizeof(Job)));
    JQ(cudaMallocHost(&staged_, cap_ * sizeof(Job)));
    JQ(cudaMallocHost(&tails_, cap_ * sizeof(unsigned)));
  }

  ~JobQueue() {
    if (running_) shutdown();
    cudaFreeHost(tails_);
    cudaFreeHost(staged_);
    cudaFree(jobs_);
    cudaFree(state_);
    cudaEventDestroy(ready_);
    cudaStreamDestroy(feed_);
    cudaStreamDestroy(worker_);
  }

  void start() {
    next_ = 0;
    JQ(cudaMemsetAsync(state_, 0, sizeof(QueueState), worker_));
    JQ(cudaMemsetAsync(jobs_, 0, cap_ * sizeof(Job), worker_));
    resident_worker<<<1, 1, 0, worker_>>>(state_, jobs_);
    JQ(cudaGetLastError());
    JQ(cudaEventRecord(ready_, worker_));
    JQ(cudaStreamWaitEvent(feed_, ready_, 0));
    running_ = true;
  }

  // Returns the job index, or -1 when the queue is full.
  int push(int op, int lhs, int rhs) {
    if (next_ + (op != 0) >= cap_ + (op == 0)) return -1;
    const unsigned i = next_++;
    staged_[i] = Job{op, lhs, rhs, 0};
    tails_[i] = next_;
    JQ(cudaMemcpyAsync(jobs_ + i, staged_ + i, sizeof(Job), cudaMemcpyHostToDevice, feed_));
    JQ(cudaMemcpyAsync(&state_->tail, tails_ + i, sizeof(unsigned), cudaMemcpyHostToDevice, feed_));
    return int(i);
  }

  void shutdown() {
    push(0, 0, 0);
    JQ(cudaStreamSynchronize(feed_));
    JQ(cudaStreamSynchronize(worker_));
    running_ = false;
  }

  int result(int i, cudaStream_t stream) const {
    Job j;
    JQ(cudaMemcpyAsync(&j, jobs_ + i, sizeof j, cudaMemcpyDeviceToHost, stream));
    JQ(cudaStreamSynchronize(stream));
    return j.result;
  }

 private:
  unsigned cap_, next_ = 0;
  bool running_ = false;
  cudaStream_t worker_{}, feed_{};
  cudaEvent_t ready_{};
  QueueState* state_ = nullptr;
  Job *jobs_ = nullptr, *staged_ = nullptr;
  unsigned* tails_ = nullptr;
};

int main() {
  cudaStream_t client;
  JQ(cudaStreamCreateWithFlags(&client, cudaStreamNonBlocking));
  JobQueue q(64);
  q.start();
  int a = q.push(1, 20, 22);
  int b = q.push(2, 6, 9);
  for (int i = 0; i < 16; ++i) q.push(1, i, i);
  q.shutdown();
  std::printf("20+22=%d 6*9=%d\n", q.result(a, client), q.result(b, client));
  JQ(cudaStreamDestroy(client));
  return 0;
}
