#include "tensor.hpp"
#include <utility>

namespace tr {

tensor::tensor(int64_t rows, int64_t cols) : rows_(rows), cols_(cols) {
  TR_CHECK(cudaMalloc(&data_, sizeof(float) * rows * cols));
}

tensor::tensor(tensor&& o) noexcept
  : rows_(o.rows_), cols_(o.cols_), data_(std::exchange(o.data_, nullptr)) {}

tensor::~tensor() { cudaFree(data_); }

context::context(int max_indices) : max_indices_(max_indices) {
  TR_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  TR_CHECK(cudaMalloc(&scratch_, sizeof(int32_t) * max_indices));
}

context::~context() {
  cudaStreamSynchronize(stream_);
  cudaFree(scratch_);
  cudaStreamDestroy(stream_);
}

}  // namespace tr
