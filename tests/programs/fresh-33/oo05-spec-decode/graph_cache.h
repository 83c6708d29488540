#pragma once
#include <map>
#include "host_arena.h"

namespace spec {

constexpr int kMaxDraft = 8;
constexpr int kVocab = 4096;

struct StepParams {
  int draftLen;
  int temperature;
  unsigned salt;
};

struct StepOutcome {
  int proposed;
  int accepted;
  unsigned digest;
};

// Device memory of one decoding step, injected into the cache.
struct StepBuffers {
  StepParams* params = nullptr;
  int* embedding = nullptr;
  int* draft = nullptr;
  StepOutcome* outcome = nullptr;
  StepOutcome* hostOutcome = nullptr;
};

StepParams paramsFor(int draftLen);

// One executable graph per draft length.
class GraphCache {
 public:
  GraphCache(HostArena& arena, const StepBuffers& buffers, cudaStream_t stream)
      : arena_(arena), buffers_(buffers), stream_(stream) {}
  ~GraphCache();

  Status warmup();
  Status build(int shortest, int longest);
  Status launch(int draftLen);

 private:
  Status enqueue(const StepParams* params);
  Status capture(int draftLen);

  HostArena& arena_;
  StepBuffers buffers_;
  cudaStream_t stream_;
  std::map<int, cudaGraphExec_t> graphs_;
};

}  // namespace spec
