// forest: batch prediction over row shards.
//
// Rows are cut into shards with a queue each. predict() enqueues every shard, so that shards run side
// by side on the device, and collect() waits for all of them.
#pragma once

#include "column.h"

#include <thrust/transform.h>

#include <algorithm>
#include <vector>

namespace forest {

struct predictor_options {
  int shards = 4;
  std::size_t rows_per_shard = 1024;
  float base_score = 0.0f;
  float learning_rate = 1.0f;
};

namespace detail {

/// margin -> score
struct finish {
  float base;
  float rate;
  __host__ __device__ float operator()(float margin) const { return base + rate * margin; }
};

struct shard {
  shard(std::size_t rows) : features(rows), margins(rows), scores(rows), staging_in(rows), staging_out(rows) {}
  queue q;
  column<float> features;
  column<float> margins;
  column<float> scores;
  host_column<float> staging_in;
  host_column<float> staging_out;
  std::size_t rows = 0;
};

}  // namespace detail

/// Model: a copyable function object `float operator()(float) const` callable on the device.
template <class Model>
class predictor {
 public:
  predictor(Model model, const predictor_options& opt) : model_(model), opt_(opt) {
    shards_.reserve(opt.shards);
    for (int i = 0; i < opt.shards; ++i) shards_.emplace_back(opt.rows_per_shard);
  }

  int shards() const { return int(shards_.size()); }
  std::size_t capacity() const { return shards_.size() * opt_.rows_per_shard; }

  /// Cuts `rows` into the shards and starts all of them.
  void predict(const std::vector<float>& rows) {
    if (rows.size() > capacity()) throw std::length_error("predict");
    stage(rows);
    for (auto& s : shards_) {
      if (s.rows == 0) continue;
      upload(s);
      score(s);
      download(s);
    }
  }

  std::vector<float> collect() {
    std::vector<float> out;
    for (auto& s : shards_) {
      s.q.wait();
      out.insert(out.end(), s.staging_out.data(), s.staging_out.data() + s.rows);
      s.rows = 0;
    }
    return out;
  }

 private:
  void stage(const std::vector<float>& rows) {
    std::size_t at = 0;
    for (auto& s : shards_) {
      s.q.wait();
      s.rows = std::min(opt_.rows_per_shard, rows.size() - at);
      std::copy_n(rows.begin() + at, s.rows, s.staging_in.data());
      at += s.rows;
    }
  }

  void upload(detail::shard& s) {
    guard(cudaMemcpyAsync(s.features.view().data(), s.staging_in.data(), s.rows * sizeof(float),
                          cudaMemcpyHostToDevice, s.q.native()),
          "upload");
  }

  void score(detail::shard& s) {
    auto in = s.features.view(s.rows);
    auto margins = s.margins.view(s.rows);
    auto scores = s.scores.view(s.rows);
    thrust::transform(s.q.policy(), in.begin(), in.end(), margins.begin(), model_);
    thrust::transform(s.q.policy(), margins.begin(), margins.end(), scores.begin(),
                      detail::finish{opt_.base_score, opt_.learning_rate});
  }

  void download(detail::shard& s) {
    guard(cudaMemcpyAsync(s.staging_out.data(), s.scores.view().data(), s.rows * sizeof(float),
                          cudaMemcpyDeviceToHost, s.q.native()),
          "download");
  }

  Model model_;
  predictor_options opt_;
  std::vector<detail::shard> shards_;
};

}  // namespace forest
