#include "multi_tensor.cuh"

namespace mt {

tensor_table::tensor_table()
{
  host_.reserve(max_tensors);
  MT_CHECK(cudaMalloc(&device_, max_tensors * sizeof(entry)));
}

tensor_table::~tensor_table() { cudaFree(device_); }

entry const* tensor_table::stage(std::vector<tensor> const& list, float arg, cudaStream_t stream)
{
  if (list.size() > static_cast<std::size_t>(max_tensors)) {
    std::fprintf(stderr, "too many tensors: %zu\n", list.size());
    std::abort();
  }
  host_.clear();
  for (tensor const& t : list) host_.push_back({t.data, t.size, arg});
  MT_CHECK(cudaMemcpyAsync(device_, host_.data(), host_.size() * sizeof(entry), cudaMemcpyHostToDevice, stream));
  return device_;
}

}  // namespace mt
