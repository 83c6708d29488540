#pragma once
#include "resources.hpp"

namespace nn {
using idx_t = long long;
// Squared L2 distances, smallest first; results are on the host on return.
class GpuIndex {
 public:
  GpuIndex(std::shared_ptr<GpuResources> res, int dim) : res_(std::move(res)), dim_(dim) {}
  virtual ~GpuIndex() = default;
  virtual void add(idx_t n, const float* vectors) = 0;
  void search(idx_t n, const float* queries, int k, float* distances, idx_t* labels);

 protected:
  virtual void searchTile(int n, const float* queries, int k, float* distances, idx_t* labels) = 0;
  std::shared_ptr<GpuResources> res_;
  int dim_;

 private:
  void prepare(idx_t rows, int k);
  idx_t tile() const;
  std::size_t room_ = 0;
  DevicePtr<float> queries_;
  DevicePtr<float> distances_;
  DevicePtr<idx_t> labels_;
};

class GpuIndexFlat final : public GpuIndex {
 public:
  using GpuIndex::GpuIndex;
  void add(idx_t n, const float* vectors) override;

 private:
  void searchTile(int n, const float* queries, int k, float* distances, idx_t* labels) override;
  DevicePtr<float> vectors_;
  int count_ = 0;
};
}  // namespace nn
