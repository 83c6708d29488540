#pragma once
// prof: device time of named ranges. A range may spread over several streams; it is opened and
// closed on the stream of its scope.
#include <cuda_runtime_api.h>

#include <map>
#include <string>
#include <vector>

namespace prof {

void check(cudaError_t status);

class Profiler {
 public:
  static Profiler& instance();

  void enable(bool on) { enabled_ = on; }
  int open(const std::string& name, cudaStream_t stream);
  void close(int range, cudaStream_t stream);

  // Mean device milliseconds per name over everything that was recorded since the last call.
  std::map<std::string, double> collect();
  void shutdown();

 private:
  struct Range {
    std::string name;
    cudaEvent_t begin;
    cudaEvent_t end;
  };
  cudaEvent_t event();

  bool enabled_ = false;
  std::vector<Range> ranges_;
  std::vector<cudaEvent_t> spare_;
};

class Scope {
 public:
  Scope(const std::string& name, cudaStream_t stream)
      : stream_(stream), range_(Profiler::instance().open(name, stream)) {}
  ~Scope() { Profiler::instance().close(range_, stream_); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  cudaStream_t stream_;
  int range_;
};

}  // namespace prof
