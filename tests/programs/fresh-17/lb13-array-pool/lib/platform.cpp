#include "platform.hpp"
#include <array>
#include <mutex>

namespace fa {
namespace {

class DeviceManager {
 public:
  static DeviceManager& getInstance() {
    static DeviceManager* m = new DeviceManager();
    return *m;
  }
  cudaStream_t queue(int id) {
    std::lock_guard<std::mutex> g(mutex_);
    auto& q = queues_.at(id);
    if (!q) FA_CUDA_CHECK(cudaStreamCreateWithFlags(&q, cudaStreamNonBlocking));
    return q;
  }

 private:
  std::mutex mutex_;
  std::array<cudaStream_t, kMaxQueues> queues_{};
};

thread_local int activeQueue = 0;
}  // namespace

void setActiveQueue(int id) {
  if (id < 0 || id >= kMaxQueues) throw FaError(__func__, __FILE__, __LINE__, "no such queue");
  activeQueue = id;
}
int getActiveQueueId() { return activeQueue; }
cudaStream_t getQueueHandle(int id) { return DeviceManager::getInstance().queue(id); }

void sync(int id) { FA_CUDA_CHECK(cudaStreamSynchronize(id < 0 ? getActiveQueue() : getQueueHandle(id))); }

}  // namespace fa
