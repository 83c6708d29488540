#include "graph_cache.h"

namespace gx {

GraphCache::GraphCache(size_t capacity, int direct_runs)
    : capacity_(capacity), direct_runs_(direct_runs) {
  GX_CHECK(cudaStreamCreateWithFlags(&recorder_, cudaStreamNonBlocking));
}

GraphCache::~GraphCache() {
  for (auto& kv : entries_) dispose(kv.second);
  cudaStreamDestroy(recorder_);
}

void GraphCache::dispose(Entry& e) {
  if (e.runs > 0) cudaEventSynchronize(e.last_use);
  if (e.exec) cudaGraphExecDestroy(e.exec);
  if (e.last_use) cudaEventDestroy(e.last_use);
  e.exec = nullptr;
  e.last_use = nullptr;
}

GraphCache::Entry& GraphCache::lookup(const Shape& shape) {
  auto it = entries_.find(shape);
  if (it != entries_.end()) {
    by_age_.splice(by_age_.begin(), by_age_, it->second.age);
    return it->second;
  }
  if (entries_.size() >= capacity_) {
    auto victim = entries_.find(by_age_.back());
    dispose(victim->second);
    entries_.erase(victim);
    by_age_.pop_back();
    ++counters_.evicted;
  }
  Entry fresh;
  GX_CHECK(cudaEventCreateWithFlags(&fresh.last_use, cudaEventDisableTiming));
  by_age_.push_front(shape);
  fresh.age = by_age_.begin();
  return entries_.emplace(shape, fresh).first->second;
}

cudaGraph_t GraphCache::record(const Emit& emit) {
  cudaGraph_t graph = nullptr;
  GX_CHECK(cudaStreamBeginCapture(recorder_, cudaStreamCaptureModeThreadLocal));
  try {
    emit(recorder_);
  } catch (...) {
    cudaStreamEndCapture(recorder_, &graph);
    if (graph) cudaGraphDestroy(graph);
    cudaGetLastError();
    throw;
  }
  GX_CHECK(cudaStreamEndCapture(recorder_, &graph));
  return graph;
}

void GraphCache::rebind(Entry& e, uint64_t binding, const Emit& emit) {
  cudaGraph_t graph = record(emit);
  if (e.exec) {
    cudaGraphExecUpdateResultInfo info;
    if (cudaGraphExecUpdate(e.exec, graph, &info) == cudaSuccess) {
      ++counters_.updated;
    } else {
      cudaGetLastError();
      cudaEventSynchronize(e.last_use);
      cudaGraphExecDestroy(e.exec);
      e.exec = nullptr;
    }
  }
  cudaError_t s = cudaSuccess;
  if (!e.exec) {
    s = cudaGraphInstantiate(&e.exec, graph, 0);
    ++counters_.instantiated;
  }
  cudaGraphDestroy(graph);
  GX_CHECK(s);
  e.binding = binding;
}

void GraphCache::submit(const Shape& shape, uint64_t binding, cudaStream_t stream,
                        const Emit& emit) {
  Entry& e = lookup(shape);
  if (e.runs < direct_runs_) {
    emit(stream);
    ++counters_.direct;
  } else {
    if (!e.exec || e.binding != binding) rebind(e, binding, emit);
    GX_CHECK(cudaGraphLaunch(e.exec, stream));
    ++counters_.launched;
  }
  GX_CHECK(cudaEventRecord(e.last_use, stream));
  ++e.runs;
}

}  // namespace gx
