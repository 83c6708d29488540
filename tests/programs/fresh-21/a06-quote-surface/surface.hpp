// Implied-volatility surface with low-latency quotes.
#pragma once

#include <vector>

#include "device_array.hpp"
#include "quote_loop.hpp"

namespace vol {

/// Holds a surface on the device for its lifetime and quotes from it. Any
/// thread may quote; construct and destroy it from one.
class surface {
 public:
  /// `values` has strikes × tenors entries, strikes fastest.
  surface(const std::vector<float>& values, int strikes, int tenors);

  /// Bilinear quotes, in the order of `where`.
  std::vector<float> quote(const std::vector<point>& where);

  int strikes() const noexcept { return strikes_; }
  int tenors() const noexcept { return tenors_; }

 private:
  int strikes_;
  int tenors_;
  device_array<float> values_;
  quote_loop loop_;
};

}  // namespace vol
