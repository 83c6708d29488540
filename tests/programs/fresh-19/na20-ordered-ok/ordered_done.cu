// ordered_done.cu - completion callbacks delivered in submission order.
//
// Jobs may be submitted on different streams and finish in any order; the callback
// given with job k runs after the callback of job k-1 has returned. Callbacks run on a
// CUDA-owned thread: they must not throw, call CUDA or call back into this object.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace ordered {

using Ticket = std::uint64_t;
using Callback = std::function<void(Ticket)>;

class Sequencer {
 public:
  Sequencer() = default;
  ~Sequencer() { wait_all(); }
  Sequencer(const Sequencer&) = delete;
  Sequencer& operator=(const Sequencer&) = delete;

  // Delivers `fn` after the work enqueued so far on `stream`.
  Ticket track(cudaStream_t stream, Callback fn) {
    std::lock_guard<std::mutex> submit(submit_mu_);
    auto note = std::make_unique<Note>();
    note->owner = this;
    note->ticket = issued_ + 1;
    note->fn = std::move(fn);
    const Ticket t = note->ticket;
    cudaError_t e = cudaLaunchHostFunc(stream, &Sequencer::arrived, note.get());
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
    note.release();
    issued_ = t;
    return t;
  }

  // Blocks until everything tracked so far has been delivered.
  void wait_all() {
    Ticket upto;
    {
      std::lock_guard<std::mutex> submit(submit_mu_);
      upto = issued_;
    }
    std::unique_lock<std::mutex> lk(mu_);
    moved_.wait(lk, [&] { return next_ > upto; });
  }

  Ticket delivered() const {
    std::lock_guard<std::mutex> lk(mu_);
    return next_ - 1;
  }

 private:
  struct Note {
    Sequencer* owner;
    Ticket ticket;
    Callback fn;
  };

  static void CUDART_CB arrived(void* arg) {
    std::unique_ptr<Note> note(static_cast<Note*>(arg));
    note->owner->deliver(*note);
  }

  void deliver(Note& note) {
    std::unique_lock<std::mutex> lk(mu_);
    ready_.emplace(note.ticket, std::move(note.fn));
    if (delivering_) return;  // whoever is at it takes this one along
    delivering_ = true;
    for (auto it = ready_.find(next_); it != ready_.end(); it = ready_.find(next_)) {
      Callback fn = std::move(it->second);
      ready_.erase(it);
      run(lk, next_, fn);
    }
    delivering_ = false;
  }

  void run(std::unique_lock<std::mutex>& lk, Ticket t, const Callback& fn) {
    lk.unlock();
    if (fn) fn(t);
    lk.lock();
    next_ = t + 1;
    moved_.notify_all();
  }

  std::mutex submit_mu_;
  Ticket issued_ = 0;

  mutable std::mutex mu_;
  std::condition_variable moved_;
  Ticket next_ = 1;
  bool delivering_ = false;
  std::map<Ticket, Callback> ready_;
};

__global__ void logistic_steps(float* x, int n, float r, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int s = 0; s < steps; ++s) v = r * v * (1.f - v);
  x[i] = v;
}

// Advances n logistic maps in place and reports through the sequencer.
class LogisticBatch {
 public:
  explicit LogisticBatch(Sequencer& seq, float r = 3.7f) : seq_(seq), r_(r) {}

  Ticket submit(float* d_x, int n, int steps, cudaStream_t stream, Callback done) {
    if (n > 0) {
      logistic_steps<<<(n + 127) / 128, 128, 0, stream>>>(d_x, n, r_, steps);
      cudaError_t e = cudaGetLastError();
      if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
    }
    return seq_.track(stream, std::move(done));
  }

 private:
  Sequencer& seq_;
  float r_;
};

}  // namespace ordered
