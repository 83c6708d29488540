// gridsim: explicit time stepping of a field, in bands of rows that run side by side.
//
//   engine sim({512, 512, 4});
//   field f(sim.size());
//   sim.advance(f, rule, steps, stream);   // f is advanced in stream order
//   for (auto& [name, t] : sim.timing().report()) ...
#pragma once

#include "trace.h"

#include <algorithm>

namespace gridsim {

struct extent {
  int width = 0;
  int height = 0;
};

struct engine_options {
  int width = 256;
  int height = 256;
  int bands = 4;
};

/// Two copies of the field; front() is the current one.
class field {
 public:
  explicit field(extent e) : extent_(e) {
    for (float*& p : cells_) ok(cudaMalloc(reinterpret_cast<void**>(&p), bytes()), "field");
  }
  ~field() {
    for (float* p : cells_) cudaFree(p);
  }
  field(const field&) = delete;
  field& operator=(const field&) = delete;
  float* front() const { return cells_[current_]; }
  float* back() const { return cells_[1 - current_]; }
  void flip() { current_ = 1 - current_; }
  extent size() const { return extent_; }
  std::size_t bytes() const { return std::size_t(extent_.width) * extent_.height * sizeof(float); }

 private:
  extent extent_;
  float* cells_[2] = {nullptr, nullptr};
  int current_ = 0;
};

namespace detail {

template <class Rule>
__global__ void step_band(const float* in, float* out, extent e, int y0, int y1, Rule rule) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = y0 + blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= e.width || y >= y1) return;
  auto at = [&](int i, int j) {
    i = min(max(i, 0), e.width - 1);
    j = min(max(j, 0), e.height - 1);
    return in[j * e.width + i];
  };
  out[y * e.width + x] = rule(at(x, y), at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1));
}

}  // namespace detail

class engine {
 public:
  explicit engine(const engine_options& o) : options_(o), lanes_(o.bands) {}

  extent size() const { return {options_.width, options_.height}; }
  recorder& timing() { return recorder_; }

  /// Rule: float operator()(float c, float w, float e, float n, float s) const, on the device.
  template <class Rule>
  void advance(field& f, Rule rule, int steps, cudaStream_t stream) {
    for (int i = 0; i < steps; ++i) advance_once(f, rule, stream);
  }

  /// Sets the current copy; returns when the values have been taken.
  void fill(field& f, const std::vector<float>& values, cudaStream_t stream) {
    if (values.size() * sizeof(float) != f.bytes()) throw std::length_error("fill");
    region timed(recorder_, "fill", stream);
    ok(cudaMemcpyAsync(f.front(), values.data(), f.bytes(), cudaMemcpyHostToDevice, stream), "fill");
    ok(cudaStreamSynchronize(stream), "fill");
  }

 private:
  template <class Rule>
  void advance_once(field& f, Rule rule, cudaStream_t stream) {
    fan_out lanes(lanes_, stream);
    region timed(recorder_, "step", stream);
    const extent e = f.size();
    const int band = (e.height + options_.bands - 1) / options_.bands;
    const dim3 block(32, 8);
    for (int b = 0; b < options_.bands; ++b) {
      const int y0 = b * band;
      const int y1 = std::min(e.height, y0 + band);
      if (y0 >= y1) break;
      const dim3 grid((e.width + block.x - 1) / block.x, (y1 - y0 + block.y - 1) / block.y);
      detail::step_band<<<grid, block, 0, lanes[b]>>>(f.front(), f.back(), e, y0, y1, rule);
      ok(cudaGetLastError(), "step_band");
    }
    f.flip();
  }

  engine_options options_;
  lane_pool lanes_;
  recorder recorder_;
};

}  // namespace gridsim
