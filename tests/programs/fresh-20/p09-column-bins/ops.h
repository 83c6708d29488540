#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "colbin.h"

namespace colbin {

struct ApplyArgs {
  const void* column;
  int64_t rows;
  const void* edges;  // device
  int num_edges;
  int missing_bin;
  uint8_t* out;
  cudaStream_t stream;
};

// What the library knows of a column type.
struct DtypeOps {
  const char* name;
  size_t size;
  bool (*edges_ok)(const void* edges, int count);
  void (*apply)(const ApplyArgs& args);
};

const DtypeOps& ops_for(colbin_dtype dtype);

}  // namespace colbin
