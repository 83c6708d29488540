#pragma once
#include <cuda_runtime.h>

#include <chrono>
#include <future>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune {

template <typename T>
struct outcome {
  cudaError_t status = cudaSuccess;
  std::optional<T> value;
  explicit operator bool() const { return status == cudaSuccess; }
};

using clock = std::chrono::steady_clock;

// A point in a stream's work that carries the host time at which the stream got there.
class milestone {
 public:
  milestone() : reached_(std::make_shared<promise>()), time_(reached_->get_future()) {}

  cudaError_t place(cudaStream_t stream) {
    auto share = std::make_unique<std::shared_ptr<promise>>(reached_);
    cudaError_t const e = cudaLaunchHostFunc(stream, &milestone::hit, share.get());
    if (e == cudaSuccess) share.release();
    return e;
  }
  clock::time_point when() { return time_.get(); }

 private:
  using promise = std::promise<clock::time_point>;

  static void CUDART_CB hit(void* p) {
    std::unique_ptr<std::shared_ptr<promise>> share(static_cast<std::shared_ptr<promise>*>(p));
    (*share)->set_value(clock::now());
  }

  std::shared_ptr<promise> reached_;
  std::future<clock::time_point> time_;
};

struct policy {
  int repeats = 4;
  int discard = 1;
};

// Chooses the fastest of a set of launch configurations for a problem key and remembers the choice.
// Timing happens on the stream of the caller, whose earlier work is not counted.
template <typename Config, typename Key = std::string>
class tuner {
 public:
  struct entry {
    Config config;
    double ms;
  };

  explicit tuner(policy p) : policy_(p) {}

  template <typename Launch>
  outcome<entry> choose(Key const& key, std::vector<Config> const& candidates, Launch&& launch, cudaStream_t stream) {
    outcome<entry> result;
    if (auto it = cache_.find(key); it != cache_.end()) {
      result.value = it->second;
      return result;
    }
    entry best{{}, std::numeric_limits<double>::max()};
    for (Config const& c : candidates) {
      auto t = time_one(c, launch, stream);
      if (!t) {
        result.status = t.status;
        return result;
      }
      if (*t.value < best.ms) best = {c, *t.value};
    }
    cache_.emplace(key, best);
    result.value = best;
    return result;
  }

 private:
  template <typename Launch>
  outcome<double> time_one(Config const& c, Launch&& launch, cudaStream_t stream) {
    outcome<double> r;
    for (int i = 0; i < policy_.discard; ++i)
      if ((r.status = launch(c, stream)) != cudaSuccess) return r;

    milestone begin, end;
    cudaError_t placed = begin.place(stream);
    if (placed != cudaSuccess) {
      r.status = placed;
      return r;
    }
    cudaError_t work = cudaSuccess;
    for (int i = 0; i < policy_.repeats && work == cudaSuccess; ++i) work = launch(c, stream);
    placed = end.place(stream);
    if (placed != cudaSuccess) {
      cudaStreamSynchronize(stream);
      r.status = placed;
      return r;
    }
    auto const finish = end.when();
    auto const start = begin.when();
    r.status = work;
    r.value = std::chrono::duration<double, std::milli>(finish - start).count() / policy_.repeats;
    return r;
  }

  policy policy_;
  std::map<Key, entry> cache_;
};

}  // namespace tune
