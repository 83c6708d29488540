#include "field_cache.hpp"

#include <algorithm>

namespace bfield {

void FieldTable::fill(Conductor* staging,
                      Conductor* device,
                      const std::vector<Conductor>& c,
                      cudaStream_t stream) {
  std::copy(c.begin(), c.end(), staging);
  BF_CHECK(cudaMemcpyAsync(device, staging, c.size() * sizeof(Conductor), cudaMemcpyHostToDevice,
                           stream));
  build_field(grid_, device, static_cast<int>(c.size()), field_, slope_, stream);
}

FieldCache::FieldCache(const VolumeSource& source,
                       int volumes,
                       std::size_t max_nodes,
                       int max_conductors)
    : source_(source), capacity_(volumes), max_nodes_(max_nodes), max_conductors_(max_conductors) {
  BF_CHECK(cudaMalloc(&slab_, 2 * capacity_ * max_nodes_ * sizeof(float4)));
  const std::size_t bytes = capacity_ * static_cast<std::size_t>(max_conductors_) * sizeof(Conductor);
  BF_CHECK(cudaMalloc(&conductors_, bytes));
  BF_CHECK(cudaMallocHost(&staging_, bytes));
}

FieldCache::~FieldCache() {
  cudaDeviceSynchronize();
  tables_.clear();
  cudaFreeHost(staging_);
  cudaFree(conductors_);
  cudaFree(slab_);
}

FieldView FieldCache::get(int volume, cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = tables_.find(volume);
  if (found != tables_.end()) {
    return found->second->view();
  }

  const std::size_t slot = tables_.size();
  if (slot >= static_cast<std::size_t>(capacity_)) {
    throw std::length_error("bfield: too many volumes");
  }
  const Grid grid = source_.grid(volume);
  const std::vector<Conductor> c = source_.conductors(volume);
  if (grid.nodes() > max_nodes_ || c.size() > static_cast<std::size_t>(max_conductors_)) {
    throw std::length_error("bfield: volume too large");
  }
  float4* field = slab_ + 2 * slot * max_nodes_;
  auto table = std::make_unique<FieldTable>(grid, field, field + max_nodes_);
  table->fill(staging_ + slot * max_conductors_, conductors_ + slot * max_conductors_, c, stream);
  const FieldView view = table->view();
  tables_.emplace(volume, std::move(table));
  return view;
}

int FieldCache::used() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<int>(tables_.size());
}

}  // namespace bfield
