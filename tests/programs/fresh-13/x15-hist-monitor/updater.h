#pragma once
#include <cstdint>
#include <vector>

#include "context.h"
#include "monitor.h"

namespace gbt {

struct TrainParam {
  int max_bin = 64;
  int rounds = 5;
  unsigned long long scan_ns = 0;  // cost of reading one page of the matrix
};

class HistUpdater {
 public:
  HistUpdater(const Context* ctx, const TrainParam& param, const std::vector<std::uint8_t>& bins);
  ~HistUpdater();
  HistUpdater(const HistUpdater&) = delete;
  HistUpdater& operator=(const HistUpdater&) = delete;

  void BuildHist();
  void Update(const std::string& label);
  std::vector<unsigned> Histogram() const;
  const Monitor& Timing() const { return monitor_; }

 private:
  const Context* ctx_;
  TrainParam param_;
  std::size_t rows_;
  std::uint8_t* bins_ = nullptr;
  unsigned* hist_ = nullptr;
  Monitor monitor_;
};

}  // namespace gbt
