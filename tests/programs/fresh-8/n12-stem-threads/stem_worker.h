#ifndef STEM_WORKER_H_
#define STEM_WORKER_H_

#include <cuda_runtime.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

namespace stems {

// Lets a fixed number of threads start together.
class StartLine {
 public:
  explicit StartLine(int n) : missing_(n) {}

  void arriveAndWait() {
    std::unique_lock<std::mutex> lk(mu_);
    if (--missing_ == 0) {
      go_ = true;
      cv_.notify_all();
    } else {
      cv_.wait(lk, [this] { return go_; });
    }
  }

 private:
  std::mutex mu_;
  std::condition_variable cv_;
  int missing_;
  bool go_ = false;
};

struct StemConfig {
  std::string name;
  int weight;
  int blocks;
  int samples;
};

// Extracts one stem of a mix, block by block, in the thread that calls it.
class StemWorker {
 public:
  StemWorker(const StemConfig& cfg, const int* deviceMix);
  ~StemWorker();

  void extractBlock(int block);
  void finish();

  const StemConfig& config() const { return cfg_; }
  const int* result() const { return host_; }

 private:
  StemConfig cfg_;
  const int* mix_;
  int* host_ = nullptr;
  cudaMemPool_t scratch_ = nullptr;
};

void abortOn(cudaError_t e);

}  // namespace stems

#endif  // STEM_WORKER_H_
