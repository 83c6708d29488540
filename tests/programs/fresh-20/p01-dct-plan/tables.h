#pragma once

#include <cuda_runtime.h>

#include "dctx.h"

#define DCTX_TRY_CUDA(expr)                                                   \
  do {                                                                        \
    cudaError_t dctx_err_ = (expr);                                           \
    if (dctx_err_ != cudaSuccess)                                             \
      return dctx_err_ == cudaErrorMemoryAllocation ? DCTX_ALLOC_FAILED       \
                                                    : DCTX_CUDA_ERROR;        \
  } while (0)

#define DCTX_TRY(expr)                        \
  do {                                        \
    dctx_status dctx_st_ = (expr);            \
    if (dctx_st_ != DCTX_OK) return dctx_st_; \
  } while (0)

namespace dctx {

// Cosine tables are shared by all plans of one row length: entry j holds cos(pi j / 2n), for one period (4n entries).
dctx_status table_reserve(int n);
dctx_status table_get(int n, cudaStream_t stream, const float** cosines);
dctx_status table_release_all();

}  // namespace dctx
