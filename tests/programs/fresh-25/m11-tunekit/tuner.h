#pragma once

#include "stopwatch.h"

#include <functional>
#include <string>
#include <vector>

namespace tunekit {

using launcher = std::function<void(cudaStream_t)>;

struct candidate {
  std::string name;
  launcher launch;
};

struct timing {
  std::string name;
  double cold_ms = 0.0;    // first call, host clock, whatever it has to set up
  double steady_ms = 0.0;  // mean over the measured calls
};

struct tune_options {
  int warmup = 2;
  int calls = 20;
};

class tuner {
 public:
  explicit tuner(tune_options options = {}) : options_(options) {}

  void add(std::string name, launcher launch) { list_.push_back({std::move(name), std::move(launch)}); }

  // Times all candidates in `stream`, in the order in which they were added.
  std::vector<timing> run(cudaStream_t stream) const;

 private:
  timing measure(const candidate& c, cudaStream_t stream) const;

  tune_options options_;
  std::vector<candidate> list_;
};

}  // namespace tunekit
