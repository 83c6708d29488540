#include "tables.h"

#include <map>
#include <mutex>

namespace dctx {
namespace {

struct Table {
  float* cosines = nullptr;
  cudaEvent_t ready = nullptr;
  bool filled = false;
};

struct Registry {
  std::mutex mu;
  std::map<int, Table> tables;
};

Registry& registry() {
  static Registry r;
  return r;
}

__global__ void fill_cosines(float* cosines, int n) {
  const int period = 4 * n;
  for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < period; j += gridDim.x * blockDim.x)
    cosines[j] = static_cast<float>(cospi(static_cast<double>(j) / (2.0 * n)));
}

dctx_status fill(Table& t, int n, cudaStream_t stream) {
  const int threads = 256;
  const int blocks = (4 * n + threads - 1) / threads;
  fill_cosines<<<blocks, threads, 0, stream>>>(t.cosines, n);
  DCTX_TRY_CUDA(cudaGetLastError());
  DCTX_TRY_CUDA(cudaEventRecord(t.ready, stream));
  t.filled = true;
  return DCTX_OK;
}

}  // namespace

dctx_status table_reserve(int n) {
  Registry& r = registry();
  std::lock_guard<std::mutex> lock(r.mu);
  if (r.tables.count(n)) return DCTX_OK;
  Table t;
  DCTX_TRY_CUDA(cudaMalloc(&t.cosines, sizeof(float) * 4 * n));
  DCTX_TRY_CUDA(cudaEventCreateWithFlags(&t.ready, cudaEventDisableTiming));
  r.tables.emplace(n, t);
  return DCTX_OK;
}

dctx_status table_get(int n, cudaStream_t stream, const float** cosines) {
  Registry& r = registry();
  std::lock_guard<std::mutex> lock(r.mu);
  auto it = r.tables.find(n);
  if (it == r.tables.end()) return DCTX_INVALID_VALUE;
  Table& t = it->second;
  if (!t.filled) DCTX_TRY(fill(t, n, stream));
  DCTX_TRY_CUDA(cudaStreamWaitEvent(stream, t.ready, 0));
  *cosines = t.cosines;
  return DCTX_OK;
}

dctx_status table_release_all() {
  Registry& r = registry();
  std::lock_guard<std::mutex> lock(r.mu);
  for (auto& kv : r.tables) {
    DCTX_TRY_CUDA(cudaEventDestroy(kv.second.ready));
    DCTX_TRY_CUDA(cudaFree(kv.second.cosines));
  }
  r.tables.clear();
  return DCTX_OK;
}

}  // namespace dctx
