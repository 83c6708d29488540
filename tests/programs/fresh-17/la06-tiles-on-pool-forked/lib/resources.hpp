#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace pontoon {

struct exception : std::runtime_error {
  using std::runtime_error::runtime_error;
};

#define PONTOON_CUDA_TRY(call)                                                     \
  do {                                                                             \
    cudaError_t const status = (call);                                             \
    if (status != cudaSuccess) {                                                   \
      std::ostringstream msg;                                                      \
      msg << "CUDA error at " << __FILE__ << ":" << __LINE__ << " call='" << #call \
          << "', Reason=" << cudaGetErrorName(status);                             \
      throw pontoon::exception(msg.str());                                         \
    }                                                                              \
  } while (0)

enum class resource_type : int { MAIN_STREAM = 0, STREAM_POOL, SYNC_EVENT, DEVICE_PROPS, LAST_KEY };

/// Base of everything a `resources` may hold.
class resource_base {
 public:
  virtual ~resource_base()     = default;
  virtual void* get_resource() = 0;
};

class resource_factory {
 public:
  virtual ~resource_factory()                                      = default;
  virtual resource_type get_resource_type() const                 = 0;
  virtual std::unique_ptr<resource_base> make_resource()               = 0;
};

/// Registry of lazily made resources; handed to every primitive of the library.
class resources {
 public:
  resources()                            = default;
  resources(resources const&)            = delete;
  resources& operator=(resources const&) = delete;

  void add_resource_factory(std::shared_ptr<resource_factory> f)
  {
    std::lock_guard<std::mutex> lk(mutex_);
    auto const k = static_cast<std::size_t>(f->get_resource_type());
    factories_.at(k) = std::move(f);
    live_.at(k).reset();
  }

  bool has(resource_type t) const
  {
    std::lock_guard<std::mutex> lk(mutex_);
    return factories_.at(static_cast<std::size_t>(t)) != nullptr;
  }

  template <typename T>
  T* get(resource_type t) const
  {
    std::lock_guard<std::mutex> lk(mutex_);
    auto const k = static_cast<std::size_t>(t);
    if (!factories_.at(k)) throw exception("no factory for the resource");
    if (!live_[k]) live_[k] = factories_[k]->make_resource();
    return static_cast<T*>(live_[k]->get_resource());
  }

 private:
  static constexpr std::size_t N = static_cast<std::size_t>(resource_type::LAST_KEY);
  mutable std::mutex mutex_;
  std::array<std::shared_ptr<resource_factory>, N> factories_{};
  mutable std::array<std::unique_ptr<resource_base>, N> live_{};
};

}  // namespace pontoon
