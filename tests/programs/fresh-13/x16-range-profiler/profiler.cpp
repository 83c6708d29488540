#include "profiler.h"

#include <cstdio>
#include <cstdlib>

namespace prof {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(status));
  std::fflush(stdout);
  std::_Exit(1);
}

Profiler& Profiler::instance() {
  static Profiler profiler;
  return profiler;
}

cudaEvent_t Profiler::event() {
  if (spare_.empty()) {
    cudaEvent_t made;
    check(cudaEventCreate(&made));
    return made;
  }
  cudaEvent_t taken = spare_.back();
  spare_.pop_back();
  return taken;
}

int Profiler::open(const std::string& name, cudaStream_t stream) {
  if (!enabled_) return -1;
  ranges_.push_back({name, event(), event()});
  check(cudaEventRecord(ranges_.back().begin, stream));
  return static_cast<int>(ranges_.size()) - 1;
}

void Profiler::close(int range, cudaStream_t stream) {
  if (range >= 0) check(cudaEventRecord(ranges_[range].end, stream));
}

std::map<std::string, double> Profiler::collect() {
  std::map<std::string, double> total;
  std::map<std::string, int> count;
  for (const Range& r : ranges_) {
    check(cudaEventSynchronize(r.end));
    float ms = 0.f;
    check(cudaEventElapsedTime(&ms, r.begin, r.end));
    total[r.name] += ms;
    ++count[r.name];
    spare_.push_back(r.begin);
    spare_.push_back(r.end);
  }
  ranges_.clear();
  for (auto& [name, ms] : total) ms /= count[name];
  return total;
}

void Profiler::shutdown() {
  for (cudaEvent_t e : spare_) check(cudaEventDestroy(e));
  spare_.clear();
}

}  // namespace prof
