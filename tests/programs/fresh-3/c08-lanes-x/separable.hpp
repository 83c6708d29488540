#pragma once
#include <cstddef>
#include <vector>

#include "lane.hpp"

namespace filt {

struct image {
  float* data;
  int width;
  int height;
  std::size_t pixels() const { return static_cast<std::size_t>(width) * height; }
};

struct filter_options {
  int radius = 2;
  int lanes = 4;
  int max_width = 0;
  int max_height = 0;
  int passes_cost_us = 10000;
};

// Separable box filter over a set of images. Images of one call are independent of each other and
// are distributed over the lanes of the filter.
class separable_filter {
 public:
  explicit separable_filter(filter_options const& opt);
  ~separable_filter();
  separable_filter(separable_filter const&) = delete;
  separable_filter& operator=(separable_filter const&) = delete;

  // Enqueues the whole set behind the work already in `stream`; later work in `stream` sees the result.
  void apply(std::vector<image> const& in, std::vector<image> const& out, cudaStream_t stream);

  filter_options const& options() const noexcept { return opt_; }

 private:
  void apply_one(lane& l, image const& in, image const& out);

  filter_options opt_;
  std::vector<lane> lanes_;
  cudaEvent_t start_ = nullptr;
};

}  // namespace filt
