#include "shard_index.hpp"

#include <algorithm>
#include <cstring>

#include "scan_kernels.cuh"

namespace nn {

struct shard_index::lane {
  cudaStream_t stream = nullptr;

  lane() { require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  lane(const lane&) = delete;
  ~lane() {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
};

shard_index::shard_index(const index_options& options)
    : options_(options),
      query_host_(options.dim),
      query_(options.dim),
      hits_(options.max_shards),
      hits_host_(options.max_shards) {
  for (int i = 0; i < options.lanes; ++i) lanes_.push_back(std::make_unique<lane>());
  require(cudaEventCreateWithFlags(&query_ready_, cudaEventDisableTiming));
}

shard_index::~shard_index() {
  lanes_.clear();
  cudaEventDestroy(query_ready_);
}

void shard_index::add(const std::vector<float>& vectors) {
  if (shards() == options_.max_shards || vectors.empty() ||
      vectors.size() % options_.dim != 0)
    throw cuda_exception(cudaErrorInvalidValue);
  shard s;
  s.rows = static_cast<int>(vectors.size() / options_.dim);
  s.vectors.reserve(vectors.size());
  require(cudaMemcpy(s.vectors.data(), vectors.data(), vectors.size() * sizeof(float),
                     cudaMemcpyHostToDevice));
  require(cudaDeviceSynchronize());
  shards_.push_back(std::move(s));
}

hit shard_index::search(const std::vector<float>& query) {
  if (static_cast<int>(query.size()) != options_.dim || shards_.empty())
    throw cuda_exception(cudaErrorInvalidValue);
  std::memcpy(query_host_.data(), query.data(), query.size() * sizeof(float));
  require(cudaMemcpyAsync(query_.data(), query_host_.data(), query.size() * sizeof(float),
                          cudaMemcpyHostToDevice, lanes_[0]->stream));
  require(cudaEventRecord(query_ready_, lanes_[0]->stream));
  for (auto& l : lanes_) require(cudaStreamWaitEvent(l->stream, query_ready_, 0));

  for (int i = 0; i < shards(); ++i) {
    const shard& s = shards_[i];
    lane& l = *lanes_[i % lanes_.size()];
    device_buffer<float> distances(s.rows);
    scan<<<4, 256, 0, l.stream>>>(s.vectors.data(), query_.data(), s.rows, options_.dim,
                                  options_.scan_ns, distances.data());
    require(cudaGetLastError());
    nearest<<<1, 256, 0, l.stream>>>(distances.data(), s.rows, i, hits_.data() + i);
    require(cudaGetLastError());
    require(cudaMemcpyAsync(hits_host_.data() + i, hits_.data() + i, sizeof(hit),
                            cudaMemcpyDeviceToHost, l.stream));
  }
  for (auto& l : lanes_) require(cudaStreamSynchronize(l->stream));
  return *std::min_element(
      hits_host_.data(), hits_host_.data() + shards(),
      [](const hit& a, const hit& b) { return a.distance < b.distance; });
}

}  // namespace nn
