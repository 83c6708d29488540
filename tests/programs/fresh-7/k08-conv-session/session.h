#ifndef CONV_SESSION_H_
#define CONV_SESSION_H_

#include <map>

#include "layer.h"

namespace conv {

struct SessionOptions {
  std::vector<int> buckets = {1, 2, 4, 8};  // ascending
  size_t workspace_granularity = 512 << 10;
};

// Serves requests of up to buckets.back() planes. Each bucket has its own graph, made when it is first needed.
class Session {
 public:
  explicit Session(const SessionOptions& options);
  ~Session();

  std::vector<int> Run(const std::vector<int>& planes);
  std::vector<int> Reference(const std::vector<int>& planes) const;

 private:
  void Enqueue(int batch);
  void WarmUp(int batch);
  cudaGraphExec_t GraphFor(int bucket);

  const SessionOptions options_;
  Workspace workspace_;
  std::vector<Layer> layers_;
  cudaStream_t stream_ = nullptr;
  std::map<int, cudaGraphExec_t> graphs_;
  int* ping_ = nullptr;
  int* pong_ = nullptr;
  int* staging_ = nullptr;
};

}  // namespace conv

#endif  // CONV_SESSION_H_
