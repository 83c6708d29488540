// gridsim: device time of named regions.
#pragma once

#include "runtime.h"

#include <map>
#include <string>

namespace gridsim {

struct region_time {
  int calls = 0;
  double milliseconds = 0.0;
};

/// Keeps pairs of events per region until they are asked for.
class recorder {
 public:
  recorder() = default;
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  /// Waits for the recorded regions and adds them up.
  std::map<std::string, region_time> report() {
    std::map<std::string, region_time> out;
    for (auto& s : samples_) {
      float ms = 0.0f;
      ok(cudaEventSynchronize(s.stop), "report");
      ok(cudaEventElapsedTime(&ms, s.start, s.stop), "report");
      auto& r = out[s.name];
      ++r.calls;
      r.milliseconds += ms;
    }
    return out;
  }
  void clear() { samples_.clear(); }

 private:
  friend class region;
  struct sample {
    explicit sample(std::string n) : name(std::move(n)), start(cudaEventDefault), stop(cudaEventDefault) {}
    std::string name;
    event start, stop;
  };
  std::vector<sample> samples_;
};

/// Times what is enqueued in `stream` while it lives.
class region {
 public:
  region(recorder& r, const char* name, cudaStream_t stream) : r_(r), stream_(stream), index_(r.samples_.size()) {
    r_.samples_.emplace_back(name);
    ok(cudaEventRecord(r_.samples_[index_].start, stream_), name);
  }
  ~region() { cudaEventRecord(r_.samples_[index_].stop, stream_); }
  region(const region&) = delete;
  region& operator=(const region&) = delete;

 private:
  recorder& r_;
  cudaStream_t stream_;
  std::size_t index_;
};

}  // namespace gridsim
