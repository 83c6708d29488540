#pragma once
// Recycled CUDA events. Creating events in a training loop shows up in profiles; leases do not.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

namespace ckpt {

inline void must(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::fflush(stdout);
  std::_Exit(1);
}

class EventPool {
 public:
  struct Return {
    EventPool* pool;
    void operator()(cudaEvent_t e) const { pool->put(e); }
  };
  using Lease = std::unique_ptr<CUevent_st, Return>;

  ~EventPool() {
    for (cudaEvent_t e : idle_) must(cudaEventDestroy(e));
  }

  Lease get() {
    std::lock_guard<std::mutex> lock(mu_);
    cudaEvent_t e = nullptr;
    if (idle_.empty()) {
      must(cudaEventCreate(&e));
    } else {
      e = idle_.back();
      idle_.pop_back();
    }
    return Lease(e, Return{this});
  }

 private:
  void put(cudaEvent_t e) {
    std::lock_guard<std::mutex> lock(mu_);
    idle_.push_back(e);
  }

  std::mutex mu_;
  std::vector<cudaEvent_t> idle_;
};

}  // namespace ckpt
