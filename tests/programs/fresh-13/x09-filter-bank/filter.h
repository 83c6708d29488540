#pragma once
#include <vector>

#include "resources.h"

namespace imgx {

struct Plane {
  float* data;
  int width;
  int height;
};

// Horizontal filters with arbitrary taps. Calls are asynchronous on the default stream of the
// resources; the taps are the caller's and may go away when apply() has returned.
class FilterBank {
 public:
  static constexpr int kMaxTaps = 31;

  explicit FilterBank(std::shared_ptr<GpuResources> resources);
  ~FilterBank();
  FilterBank(const FilterBank&) = delete;
  FilterBank& operator=(const FilterBank&) = delete;

  void expose(const Plane& raw, int seed);
  void apply(const Plane& in, const Plane& out, const std::vector<float>& taps);

 private:
  std::shared_ptr<GpuResources> resources_;
  float* deviceTaps_ = nullptr;
};

}  // namespace imgx
