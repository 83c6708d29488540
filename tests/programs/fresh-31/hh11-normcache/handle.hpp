#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <mutex>
#include <stdexcept>
#include <typeindex>
#include <unordered_map>
#include <vector>

namespace knn {

struct cuda_exception : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t e)
{
  if (e != cudaSuccess) throw cuda_exception(cudaGetErrorName(e));
}

struct handle_config {
  int streams                    = 2;
  unsigned long long pass_cost_ns = 0;  // what a pass over a large shard costs on the target
};

/// Streams and lazily made resources that algorithms share.
class handle_t {
 public:
  explicit handle_t(handle_config const& config) : config_{config}, streams_(config.streams)
  {
    for (auto& s : streams_) check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  }
  ~handle_t()
  {
    for (auto s : streams_) cudaStreamSynchronize(s);
    resources_.clear();
    for (auto s : streams_) cudaStreamDestroy(s);
  }
  handle_t(handle_t const&)            = delete;
  handle_t& operator=(handle_t const&) = delete;

  cudaStream_t get_stream(int i) const { return streams_.at(i); }
  handle_config const& config() const { return config_; }
  void sync_stream(int i) const { check(cudaStreamSynchronize(get_stream(i))); }

  template <class R>
  R& get_resource()
  {
    std::lock_guard<std::mutex> guard(mutex_);
    auto& slot = resources_[std::type_index(typeid(R))];
    if (!slot) slot = std::make_shared<R>(config_);
    return *static_cast<R*>(slot.get());
  }

 private:
  handle_config config_;
  std::vector<cudaStream_t> streams_;
  std::mutex mutex_;
  std::unordered_map<std::type_index, std::shared_ptr<void>> resources_;
};

}  // namespace knn
