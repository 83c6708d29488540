// beacon: nearest-beacon scoring as a service. A Context answers queries asynchronously.
#pragma once

#include "pinned_cache.h"

#include <chrono>
#include <memory>
#include <vector>

namespace beacon {

class Context;

struct Query {
  float x = 0.0f;
  float y = 0.0f;
  unsigned effort_us = 0;  // time given to the search of better correspondences
};

/// Scores of one query, one for each beacon. May be moved, and may be dropped before the answer is
/// there: the work still runs, but nobody sees its scores.
class Result {
 public:
  Result(Result&& other) noexcept;
  Result& operator=(Result&& other) noexcept;
  ~Result();

  bool ready() const;
  bool wait_for(std::chrono::microseconds limit) const;
  void wait() const;

  /// Valid after wait(), until this Result is dropped.
  const float* scores() const { return scores_; }
  std::size_t size() const { return count_; }

 private:
  friend class Context;
  Result(std::shared_ptr<PinnedCache> cache, std::size_t count);
  void drop() noexcept;

  std::shared_ptr<PinnedCache> cache_;
  std::size_t count_ = 0;
  float* scores_ = nullptr;
  cudaEvent_t done_ = nullptr;
};

class Context {
 public:
  Context(const std::vector<float>& xs, const std::vector<float>& ys, int channels = 4);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Queries run side by side as far as there are channels.
  Result submit(const Query& q);

  /// Returns when nothing is under way any more.
  void synchronize();

 private:
  struct Channel {
    cudaStream_t stream = nullptr;
    float* scores = nullptr;
  };

  std::size_t count_;
  float* xs_ = nullptr;
  float* ys_ = nullptr;
  std::vector<Channel> channels_;
  std::size_t next_ = 0;
  std::shared_ptr<PinnedCache> cache_;
};

}  // namespace beacon
