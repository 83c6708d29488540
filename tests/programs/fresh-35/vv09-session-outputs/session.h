#pragma once
#include <cstdint>
#include <vector>

#include "provider.h"

namespace rt {

struct SessionOptions {
  std::size_t width = 1u << 18;
  int layers = 4;
  std::uint64_t layer_ns = 10'000'000;
};

// A model instance with its own stream. Enqueue starts a request, Finish gives
// its output; one request at a time per session.
class Session {
 public:
  Session(const CudaProvider& provider, const SessionOptions& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Status Initialize();
  Status Enqueue(const std::vector<float>& features);
  Status Finish(const float** output);

 private:
  const CudaProvider& provider_;
  SessionOptions options_;
  cudaStream_t stream_ = nullptr;
  Tensor input_;
  Tensor activation_;
  Tensor output_;
};

}  // namespace rt
