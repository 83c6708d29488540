#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "check.h"

namespace flume {

using Pixel = unsigned short;

class Operator {
 public:
  virtual ~Operator() = default;
  virtual void Run(const Pixel* in, Pixel* out, int n,
                   cudaStream_t stream) const = 0;
};

class Gain final : public Operator {
 public:
  explicit Gain(int factor) : factor_(factor) {}
  void Run(const Pixel* in, Pixel* out, int n,
           cudaStream_t stream) const override;

 private:
  int factor_;
};

class Denoise final : public Operator {
 public:
  explicit Denoise(unsigned long long search_ns) : search_ns_(search_ns) {}
  void Run(const Pixel* in, Pixel* out, int n,
           cudaStream_t stream) const override;

 private:
  unsigned long long search_ns_;
};

class Graph {
 public:
  template <typename Op, typename... Args>
  Graph& Add(Args&&... args) {
    ops_.push_back(std::make_unique<Op>(std::forward<Args>(args)...));
    return *this;
  }
  const std::vector<std::unique_ptr<Operator>>& ops() const { return ops_; }

 private:
  std::vector<std::unique_ptr<Operator>> ops_;
};

}  // namespace flume
