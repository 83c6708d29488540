#pragma once
#include <chrono>
#include <map>
#include <string>

#include "context.h"

namespace gbt {

// Wall time of device work per label.
class Monitor {
 public:
  using Clock = std::chrono::steady_clock;

  struct Statistics {
    double seconds = 0;
    int count = 0;
    Clock::time_point begin;
  };

  void Init(std::string label) { label_ = std::move(label); }

  void Start(const std::string& name) {
    Check(cudaStreamSynchronize(DefaultStream()));
    stats_[name].begin = Clock::now();
  }

  void Stop(const std::string& name) {
    Check(cudaStreamSynchronize(DefaultStream()));
    Statistics& s = stats_[name];
    s.seconds += std::chrono::duration<double>(Clock::now() - s.begin).count();
    ++s.count;
  }

  double Mean(const std::string& name) const {
    const Statistics& s = stats_.at(name);
    return s.seconds / s.count;
  }

  void Print() const {
    for (const auto& [name, s] : stats_)
      std::printf("%s: %s %.6fs, %d calls\n", label_.c_str(), name.c_str(), s.seconds, s.count);
  }

 private:
  std::string label_;
  std::map<std::string, Statistics> stats_;
};

}  // namespace gbt
