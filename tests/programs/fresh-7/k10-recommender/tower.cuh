#pragma once

#include <algorithm>
#include <vector>

#include "host_stage.hpp"

namespace rec {

constexpr int kDim = 128;

struct segment {
  const int* rows;   // table of embeddings
  int* pooled;       // where the sum goes
  int first, count;  // rows [first, first + count)
  int weight;
};

__global__ void pool_segments(const segment* segments) {
  const segment s = segments[blockIdx.x];
  const int d = threadIdx.x;
  int sum = 0;
  for (int r = s.first; r < s.first + s.count; ++r) sum += s.rows[r * kDim + d];
  s.pooled[d] = sum * s.weight;
}

// One tower of the model: a table of embeddings and an output row for each of the entities of a request.
template <class Policy>
class tower {
 public:
  tower(int rows, int entities) : rows_(rows), entities_(entities) {
    host_.resize(static_cast<std::size_t>(rows) * kDim);
    for (std::size_t i = 0; i < host_.size(); ++i) host_[i] = Policy::seed(static_cast<int>(i));
    ok(cudaMalloc(&table_, host_.size() * sizeof(int)));
    ok(cudaMemcpy(table_, host_.data(), host_.size() * sizeof(int), cudaMemcpyHostToDevice));
    ok(cudaMalloc(&pooled_, sizeof(int) * entities * kDim));
    ok(cudaMemset(pooled_, 0, sizeof(int) * entities * kDim));
    ok(cudaMalloc(&segments_, sizeof(segment) * entities));
    ok(cudaDeviceSynchronize());
  }
  ~tower() {
    cudaFree(table_);
    cudaFree(pooled_);
    cudaFree(segments_);
  }
  tower(const tower&) = delete;
  tower& operator=(const tower&) = delete;

  void pool(host_stage& stage, cudaStream_t stream) {
    host_stage::frame frame(stage, stream);
    segment* list = frame.push<segment>(entities_);
    std::generate(list, list + entities_, [this, e = 0]() mutable { return describe(e++); });
    ok(cudaMemcpyAsync(segments_, list, sizeof(segment) * entities_, cudaMemcpyHostToDevice, stream));
    pool_segments<<<entities_, kDim, 0, stream>>>(segments_);
    ok(cudaGetLastError());
  }

  void clear(cudaStream_t stream) { ok(cudaMemsetAsync(pooled_, 0, sizeof(int) * entities_ * kDim, stream)); }

  const int* pooled() const { return pooled_; }
  int entities() const { return entities_; }

  int expected(int e, int d) const {
    const segment s = describe(e);
    int sum = 0;
    for (int r = s.first; r < s.first + s.count; ++r) sum += host_[static_cast<std::size_t>(r) * kDim + d];
    return sum * s.weight;
  }

 private:
  segment describe(int e) const {
    const int count = Policy::bag;
    return {table_, pooled_ + e * kDim, (e * Policy::stride) % (rows_ - count), count, e % 3 + Policy::weight};
  }

  int rows_, entities_;
  std::vector<int> host_;
  int* table_ = nullptr;
  int* pooled_ = nullptr;
  segment* segments_ = nullptr;
};

}  // namespace rec
