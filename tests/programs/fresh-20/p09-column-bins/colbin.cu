#include "colbin.h"

#include <thrust/system_error.h>

#include <exception>
#include <memory>
#include <new>

#include "ops.h"

struct colbin_s {
  colbin_spec spec{};
  const colbin::DtypeOps* ops = nullptr;
  cudaStream_t stream = nullptr;
  void* edges = nullptr;

  ~colbin_s() { cudaFree(edges); }
  int num_edges() const { return spec.bins - 1; }
};

namespace {

struct Failure {
  colbin_error code;
};

void check(cudaError_t e) {
  if (e == cudaErrorMemoryAllocation) throw Failure{COLBIN_E_MEMORY};
  if (e != cudaSuccess) throw Failure{COLBIN_E_CUDA};
}

void require(bool ok) {
  if (!ok) throw Failure{COLBIN_E_ARGUMENT};
}

// Nothing is thrown across the C interface.
template <typename F>
colbin_error guarded(F&& body) {
  try {
    body();
    return COLBIN_OK;
  } catch (const Failure& f) {
    return f.code;
  } catch (const std::bad_alloc&) {
    return COLBIN_E_MEMORY;
  } catch (const thrust::system_error&) {
    return COLBIN_E_CUDA;
  } catch (const std::exception&) {
    return COLBIN_E_INTERNAL;
  }
}

}  // namespace

extern "C" {

colbin_error colbin_create(colbin_t* binner, const colbin_spec* spec, const void* edges) {
  return guarded([&] {
    require(binner && spec && edges);
    require(spec->dtype >= 0 && spec->dtype < COLBIN_DTYPES);
    require(spec->bins >= 2 && spec->bins <= 256);
    require(spec->missing_bin >= -1 && spec->missing_bin < spec->bins);
    std::unique_ptr<colbin_s> b(new colbin_s);
    b->spec = *spec;
    if (b->spec.missing_bin < 0) b->spec.missing_bin = spec->bins - 1;
    b->ops = &colbin::ops_for(spec->dtype);
    require(b->ops->edges_ok(edges, b->num_edges()));
    const size_t bytes = b->ops->size * b->num_edges();
    check(cudaMalloc(&b->edges, bytes));
    check(cudaMemcpy(b->edges, edges, bytes, cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());
    *binner = b.release();
  });
}

colbin_error colbin_destroy(colbin_t binner) {
  delete binner;
  return COLBIN_OK;
}

colbin_error colbin_set_stream(colbin_t binner, cudaStream_t stream) {
  return guarded([&] {
    require(binner);
    binner->stream = stream;
  });
}

colbin_error colbin_apply(colbin_t binner, const void* column, int64_t rows, uint8_t* out) {
  return guarded([&] {
    require(binner && rows >= 0);
    if (rows == 0) return;
    require(column && out);
    const colbin::ApplyArgs args = {column,        rows, binner->edges, binner->num_edges(), binner->spec.missing_bin,
                                    out,           binner->stream};
    binner->ops->apply(args);
    check(cudaGetLastError());
  });
}

const char* colbin_error_name(colbin_error e) {
  switch (e) {
    case COLBIN_OK: return "COLBIN_OK";
    case COLBIN_E_ARGUMENT: return "COLBIN_E_ARGUMENT";
    case COLBIN_E_MEMORY: return "COLBIN_E_MEMORY";
    case COLBIN_E_CUDA: return "COLBIN_E_CUDA";
    case COLBIN_E_INTERNAL: return "COLBIN_E_INTERNAL";
  }
  return "COLBIN_E_UNKNOWN";
}

}  // extern "C"
