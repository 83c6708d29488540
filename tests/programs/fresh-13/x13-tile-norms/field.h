#pragma once
#include <cstddef>
#include <vector>

#include "device.h"

namespace amx {

struct NormCost {
  unsigned long long ns = 0;  // stencil evaluation per tile
};

// Norms of the tiles of one field; device scalars and where they are gathered on the host.
class NormReducer {
 public:
  explicit NormReducer(int tiles);
  ~NormReducer();
  NormReducer(const NormReducer&) = delete;
  NormReducer& operator=(const NormReducer&) = delete;

  // Enqueues the norm of one tile into the active stream.
  void eval(int tile, const double* data, std::size_t cells, NormCost cost);
  // All norms that were enqueued.
  const std::vector<double>& values();

 private:
  double* device_ = nullptr;
  std::vector<double> host_;
};

class TileField {
 public:
  TileField(int tiles, std::size_t cells);
  ~TileField();
  TileField(const TileField&) = delete;
  TileField& operator=(const TileField&) = delete;

  int tiles() const { return static_cast<int>(data_.size()); }
  std::size_t cells() const { return cells_; }
  double* tile(int i) const { return data_[i]; }
  void setVal(double base);

 private:
  std::size_t cells_;
  std::vector<double*> data_;
};

}  // namespace amx
