// Fields by volume, made when a volume is first entered.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "field_map.hpp"

namespace bfield {

/// Where the conductors of a volume come from (geometry data base, file, test).
class VolumeSource {
 public:
  virtual ~VolumeSource() = default;
  virtual Grid grid(int volume) const = 0;
  virtual std::vector<Conductor> conductors(int volume) const = 0;
};

/// Device memory of one volume, cut from the slabs of the cache.
class FieldTable {
 public:
  FieldTable(Grid grid, float4* field, float4* slope) : grid_(grid), field_(field), slope_(slope) {}

  /// Copies the conductors and builds the field.
  void fill(Conductor* staging, Conductor* device, const std::vector<Conductor>& c, cudaStream_t stream);
  FieldView view() const { return {grid_, field_, slope_}; }

 private:
  Grid grid_;
  float4* field_;
  float4* slope_;
};

/// The cache has room for a fixed number of volumes, taken at construction. It may be used
/// from several threads and with any streams, blocking or not.
class FieldCache {
 public:
  FieldCache(const VolumeSource& source, int volumes, std::size_t max_nodes, int max_conductors);
  ~FieldCache();
  FieldCache(const FieldCache&) = delete;
  FieldCache& operator=(const FieldCache&) = delete;

  /// View for kernels that the caller enqueues in `stream`.
  FieldView get(int volume, cudaStream_t stream);
  int used() const;

 private:
  const VolumeSource& source_;
  const int capacity_;
  const std::size_t max_nodes_;
  const int max_conductors_;
  mutable std::mutex mutex_;
  std::map<int, std::unique_ptr<FieldTable>> tables_;
  float4* slab_ = nullptr;
  Conductor* staging_ = nullptr;
  Conductor* conductors_ = nullptr;
};

/// Moves tracks through a volume in place: `steps` steps of length `h`. The calls return at once.
class Propagator {
 public:
  Propagator(FieldCache& cache, int steps, float h) : cache_(cache), steps_(steps), h_(h) {}
  void operator()(int volume, Track* tracks, int count, cudaStream_t stream) const;

 private:
  FieldCache& cache_;
  int steps_;
  float h_;
};

}  // namespace bfield
