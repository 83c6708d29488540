// colbin: replaces the values of numeric columns by the indices of quantile bins, as tree learners want them.
//
// A binner holds the sorted edges of one column's bins on the device. colbin_apply queues its work in the binner's stream
// and returns without waiting for it, so that columns given to binners in different streams are worked on side by side.
// The column and the output must stay until that work has completed. One host thread may drive any number of binners.
#pragma once

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct colbin_s* colbin_t;

typedef enum { COLBIN_F32 = 0, COLBIN_F64 = 1, COLBIN_I32 = 2, COLBIN_DTYPES = 3 } colbin_dtype;

typedef enum {
  COLBIN_OK = 0,
  COLBIN_E_ARGUMENT,
  COLBIN_E_MEMORY,
  COLBIN_E_CUDA,
  COLBIN_E_INTERNAL
} colbin_error;

typedef struct {
  colbin_dtype dtype;
  int bins;              // edges + 1, 2 to 256
  int missing_bin;       // index for NaN, or -1 for the last bin; floating types only
} colbin_spec;

// edges: bins - 1 ascending host values of the column's type.
colbin_error colbin_create(colbin_t* binner, const colbin_spec* spec, const void* edges);
colbin_error colbin_destroy(colbin_t binner);
colbin_error colbin_set_stream(colbin_t binner, cudaStream_t stream);

// column: rows device values; out: rows device bytes.
colbin_error colbin_apply(colbin_t binner, const void* column, int64_t rows, uint8_t* out);

const char* colbin_error_name(colbin_error e);

#ifdef __cplusplus
}
#endif
