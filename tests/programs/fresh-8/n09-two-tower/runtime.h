#pragma once
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>

#define TT_CHECK(call)                                                              \
  if (cudaError_t tt_err = (call); tt_err != cudaSuccess) {                         \
    std::printf("ERROR %s\n", cudaGetErrorName(tt_err));                            \
    std::_Exit(1);                                                                  \
  }

namespace tt {

// The stream that operators of the calling thread go to.
cudaStream_t currentStream();

class StreamScope {
 public:
  explicit StreamScope(cudaStream_t s);
  ~StreamScope();

 private:
  cudaStream_t before_;
};

// One helper thread; runs its jobs in order.
class Helper {
 public:
  Helper();
  ~Helper();
  std::future<void> post(std::function<void()> job);

 private:
  void loop();

  std::mutex m_;
  std::condition_variable cv_;
  std::queue<std::packaged_task<void()>> jobs_;
  bool quit_ = false;
  std::thread thread_;
};

// Runs both functions, the second one on the helper, and returns when the host
// side of the first and all of the second are complete.
void both(Helper& h, const std::function<void()>& first, const std::function<void()>& second);

}  // namespace tt
