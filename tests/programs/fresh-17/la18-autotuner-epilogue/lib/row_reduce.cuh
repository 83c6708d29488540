#pragma once

#include "autotuner.h"

namespace kiln {

/// out[r] = sum_c op(in[r, c]) for a row-major matrix.
template <typename Op>
struct RowReduceProblem {
  const float* in;
  float* out;
  int rows;
  int cols;
  Op op;
};

namespace detail {

template <typename Op>
__global__ void row_reduce_kernel(const float* in, int cols, int col_begin, int col_end, float* out, Op op) {
  __shared__ float partial[128];
  const int row = blockIdx.x;
  float acc = 0.f;
  for (int c = col_begin + threadIdx.x; c < col_end; c += blockDim.x) acc += op(in[row * cols + c]);
  partial[threadIdx.x] = acc;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[row] = partial[0];
}

void combine_partials(const float* partials, int parts, int rows, float* out, cudaStream_t stream);

}  // namespace detail

/// Every row by one block.
template <typename Op>
class SinglePass final : public Variant {
 public:
  explicit SinglePass(const RowReduceProblem<Op>& p) : p_(p) {}
  std::string name() const override { return "single_pass"; }
  void prologue(cudaStream_t stream) override {
    detail::row_reduce_kernel<<<p_.rows, 128, 0, stream>>>(p_.in, p_.cols, 0, p_.cols, p_.out, p_.op);
    KILN_CHECK(cudaGetLastError());
  }
  void epilogue(cudaStream_t) override {}

 private:
  RowReduceProblem<Op> p_;
};

/// The columns in slices, each by a stream of its own.
template <typename Op>
class SplitColumns final : public Variant {
 public:
  SplitColumns(const RowReduceProblem<Op>& p, int parts) : p_(p), side_(parts) {
    KILN_CHECK(cudaMalloc(&partials_, sizeof(float) * p.rows * parts));
  }
  ~SplitColumns() override { cudaFree(partials_); }
  std::string name() const override { return "split_columns_" + std::to_string(side_.size()); }
  bool supported() const override { return p_.cols >= side_.size(); }

  void prologue(cudaStream_t stream) override {
    const int slice = (p_.cols + side_.size() - 1) / side_.size();
    side_.fork(stream);
    for (int i = 0; i < side_.size(); ++i) {
      const int begin = i * slice;
      const int end = begin + slice < p_.cols ? begin + slice : p_.cols;
      detail::row_reduce_kernel<<<p_.rows, 128, 0, side_[i]>>>(p_.in, p_.cols, begin, end, partials_ + i * p_.rows,
                                                               p_.op);
      KILN_CHECK(cudaGetLastError());
    }
  }

  void epilogue(cudaStream_t stream) override {
    side_.join(stream);
    detail::combine_partials(partials_, side_.size(), p_.rows, p_.out, stream);
  }

 private:
  RowReduceProblem<Op> p_;
  SideStreams side_;
  float* partials_ = nullptr;
};

/// Row reduction by whatever variant is fastest here.
template <typename Op>
class RowReduce {
 public:
  explicit RowReduce(const RowReduceProblem<Op>& p) {
    key_ = "row_reduce/" + std::to_string(p.rows) + "x" + std::to_string(p.cols);
    variants_.push_back(std::make_unique<SinglePass<Op>>(p));
    variants_.push_back(std::make_unique<SplitColumns<Op>>(p, 2));
  }
  const std::string& key() const { return key_; }
  Variant& variant(std::size_t i) { return *variants_.at(i); }
  std::size_t num_variants() const { return variants_.size(); }
  void run(Autotuner& tuner, cudaStream_t stream) { variants_[tuner.choose(key_, variants_, stream)]->run(stream); }

 private:
  std::string key_;
  std::vector<std::unique_ptr<Variant>> variants_;
};

}  // namespace kiln
