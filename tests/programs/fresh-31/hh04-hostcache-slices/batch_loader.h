#pragma once
#include "host_span.h"

namespace feed {

class SampleSource {
 public:
  virtual ~SampleSource() = default;
  virtual void fill(int batch, HostSpan<float> features, HostSpan<int> labels) = 0;
};

struct DeviceBatch {
  const float* features;
  const int* labels;
  int rows;
  int dims;
};

// Packs a batch into one page-locked block and sends its sections to the device.
class BatchLoader {
 public:
  BatchLoader(HostCache& cache, SampleSource& source, int rows, int dims)
      : cache_(cache), source_(source), rows_(rows), dims_(dims) {
    check(cudaMalloc(reinterpret_cast<void**>(&features_), feature_bytes()));
    check(cudaMalloc(reinterpret_cast<void**>(&labels_), label_bytes()));
  }
  ~BatchLoader() {
    cudaFree(features_);
    cudaFree(labels_);
  }
  BatchLoader(const BatchLoader&) = delete;
  BatchLoader& operator=(const BatchLoader&) = delete;

  // The batch may be used in `stream` until the next call for the same stream.
  DeviceBatch load(int batch, cudaStream_t stream) {
    HostCache::Lease block = cache_.acquire(feature_bytes() + label_bytes());
    const HostSpan<std::byte> all = span_of(*block);
    const auto features = all.subspan(0, feature_bytes()).template as<float>();
    const auto labels = all.subspan(feature_bytes(), label_bytes()).template as<int>();
    source_.fill(batch, features, labels);
    upload(features_, features, stream);
    upload(labels_, labels, stream);
    return {features_, labels_, rows_, dims_};
  }

 private:
  std::size_t feature_bytes() const { return sizeof(float) * rows_ * dims_; }
  std::size_t label_bytes() const { return sizeof(int) * rows_; }

  HostCache& cache_;
  SampleSource& source_;
  int rows_;
  int dims_;
  float* features_ = nullptr;
  int* labels_ = nullptr;
};

}  // namespace feed
