#pragma once
#include "result.hpp"

#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace sepf {

enum class Edge { Clamp, Zero };

struct Shape {
  int width = 0, height = 0, radius = 0;
  Edge edge = Edge::Clamp;
  bool operator<(const Shape& o) const {
    return std::tie(width, height, radius, edge) < std::tie(o.width, o.height, o.radius, o.edge);
  }
  std::size_t bytes() const { return std::size_t(width) * height * sizeof(float); }
};

// Separable convolution of one shape. Rows go to a scratch image, columns to
// the destination.
class Filter {
 public:
  static Result<std::shared_ptr<Filter>> make(const Shape& shape, const std::vector<float>& taps);
  explicit Filter(const Shape& shape) : shape_(shape) {}
  ~Filter();
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  cudaError_t execute(const float* src, float* dst, cudaStream_t stream);
  const Shape& shape() const { return shape_; }

 private:
  Shape shape_;
  float* taps_ = nullptr;
  float* scratch_ = nullptr;
};

class FilterCache {
 public:
  Result<std::shared_ptr<Filter>> get(const Shape& shape, const std::vector<float>& taps);

 private:
  std::map<Shape, std::shared_ptr<Filter>> plans_;
};

// A chain of plans over one image, recorded once and replayed many times.
class Recording {
 public:
  struct Step {
    std::shared_ptr<Filter> plan;
    const float* src;
    float* dst;
  };
  static Result<Recording> make(std::vector<Step> steps, cudaStream_t stream);
  Recording(Recording&& o) noexcept : exec_(std::exchange(o.exec_, nullptr)), steps_(std::move(o.steps_)) {}
  ~Recording();

  cudaError_t replay(cudaStream_t stream) const { return cudaGraphLaunch(exec_, stream); }

 private:
  explicit Recording(std::vector<Step> steps) : steps_(std::move(steps)) {}
  cudaGraphExec_t exec_ = nullptr;
  std::vector<Step> steps_;
};

}  // namespace sepf
