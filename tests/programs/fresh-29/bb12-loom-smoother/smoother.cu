#include "kernels.cuh"

#include <iterator>

namespace loom {

Smoother::Smoother(std::size_t max_recorded) : max_recorded_(max_recorded) {
  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes, relax_kernel));
  check(cudaFuncGetAttributes(&attributes, residual_kernel));
  check(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
  check(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
  check(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
}

Smoother::~Smoother() {
  for (Recorded& r : lru_) discard(r);
  cudaEventDestroy(join_);
  cudaEventDestroy(fork_);
  cudaStreamDestroy(side_);
  cudaStreamDestroy(main_);
}

void Smoother::discard(Recorded& r) {
  if (r.done) cudaEventSynchronize(r.done);
  if (r.exec) cudaGraphExecDestroy(r.exec);
  cudaFree(r.next);
  cudaFree(r.d_params);
  cudaFreeHost(r.h_params);
  if (r.done) cudaEventDestroy(r.done);
}

void Smoother::record(Recorded& r) {
  const Level& l = r.level;
  const std::size_t bytes = l.n * sizeof(int);
  check(cudaMalloc(reinterpret_cast<void**>(&r.next), bytes));
  check(cudaMalloc(reinterpret_cast<void**>(&r.d_params), sizeof(SweepParams)));
  check(cudaMallocHost(reinterpret_cast<void**>(&r.h_params), sizeof(SweepParams)));
  check(cudaEventCreateWithFlags(&r.done, cudaEventDisableTiming));

  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(main_, cudaStreamCaptureModeThreadLocal));
  check(cudaEventRecord(fork_, main_));
  check(cudaStreamWaitEvent(side_, fork_, 0));
  residual_kernel<<<1, 256, 0, side_>>>(l.x, l.b, l.n, l.residual);
  check(cudaEventRecord(join_, side_));
  check(cudaMemcpyAsync(r.d_params, r.h_params, sizeof(SweepParams), cudaMemcpyHostToDevice, main_));
  relax_kernel<<<16, 128, 0, main_>>>(l.x, l.b, r.d_params, l.n, r.next);
  check(cudaStreamWaitEvent(main_, join_, 0));
  check(cudaMemcpyAsync(l.x, r.next, bytes, cudaMemcpyDeviceToDevice, main_));
  check(cudaStreamEndCapture(main_, &graph));

  const cudaError_t built = cudaGraphInstantiate(&r.exec, graph, 0);
  cudaGraphDestroy(graph);
  check(built);
}

Smoother::Recorded& Smoother::lookup(const Level& level) {
  auto hit = index_.find(level.id);
  if (hit != index_.end()) {
    const Level& l = hit->second->level;
    if (l.n == level.n && l.x == level.x && l.b == level.b && l.residual == level.residual) {
      lru_.splice(lru_.begin(), lru_, hit->second);
      return lru_.front();
    }
    forget(level.id);
  }
  while (lru_.size() >= max_recorded_) forget(std::prev(lru_.end())->level.id);
  lru_.emplace_front();
  lru_.front().level = level;
  index_[level.id] = lru_.begin();
  record(lru_.front());
  return lru_.front();
}

void Smoother::forget(int level_id) {
  auto it = index_.find(level_id);
  if (it == index_.end()) return;
  discard(*it->second);
  lru_.erase(it->second);
  index_.erase(it);
}

void Smoother::sweep(const Level& level, const SweepParams& params, cudaStream_t stream) {
  Recorded& r = lookup(level);
  check(cudaEventSynchronize(r.done));
  *r.h_params = params;
  check(cudaGraphLaunch(r.exec, stream));
  check(cudaEventRecord(r.done, stream));
}

}  // namespace loom
