// Speculative decoding tier: picks a draft length per step from the recent
// acceptance rate and replays the matching graph.
#include <algorithm>
#include <initializer_list>
#include <memory>
#include <vector>
#include "graph_cache.h"

namespace spec {

std::vector<int> embeddingTable() {
  std::vector<int> table(kVocab);
  for (int i = 0; i < kVocab; ++i) table[i] = (i * 97 + 11) % 30011;
  return table;
}

// Reference of one step on the host.
StepOutcome reference(const std::vector<int>& embedding, int draftLen) {
  const StepParams p = paramsFor(draftLen);
  StepOutcome o{0, 0, 17u};
  bool open = true;
  for (int i = 0; i < p.draftLen; ++i) {
    const unsigned token = (p.salt * 2654435761u + i * 40503u * p.temperature) % kVocab;
    ++o.proposed;
    open = open && embedding[token] % 5 != 0;
    if (open) ++o.accepted;
    o.digest = o.digest * 31u + embedding[token];
  }
  return o;
}

class Speculator {
 public:
  ~Speculator() {
    cache_.reset();
    if (stream_) cudaStreamDestroy(stream_);
    for (void* p : {(void*)buffers_.params, (void*)buffers_.embedding, (void*)buffers_.draft, (void*)buffers_.outcome})
      cudaFree(p);
  }

  Status open() {
    SPEC_RETURN_IF(arena_.reserve(1 << 16));
    SPEC_RETURN_IF_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    SPEC_RETURN_IF_CUDA(cudaMalloc(&buffers_.params, sizeof(StepParams)));
    SPEC_RETURN_IF_CUDA(cudaMalloc(&buffers_.embedding, kVocab * sizeof(int)));
    SPEC_RETURN_IF_CUDA(cudaMalloc(&buffers_.draft, kMaxDraft * sizeof(int)));
    SPEC_RETURN_IF_CUDA(cudaMalloc(&buffers_.outcome, sizeof(StepOutcome)));
    buffers_.hostOutcome = arena_.make<StepOutcome>();
    SPEC_RETURN_IF_CUDA(cudaMemcpyAsync(buffers_.embedding, embedding_.data(), kVocab * sizeof(int),
                                        cudaMemcpyHostToDevice, stream_));
    SPEC_RETURN_IF_CUDA(cudaStreamSynchronize(stream_));
    cache_ = std::make_unique<GraphCache>(arena_, buffers_, stream_);
    SPEC_RETURN_IF(cache_->warmup());
    return cache_->build(1, 6);
  }

  Status generate(int steps, int& mismatches) {
    int draftLen = 3;
    for (int s = 0; s < steps; ++s) {
      SPEC_RETURN_IF(cache_->launch(draftLen));
      SPEC_RETURN_IF_CUDA(cudaStreamSynchronize(stream_));
      const StepOutcome got = *buffers_.hostOutcome;
      const StepOutcome want = reference(embedding_, draftLen);
      if (got.proposed != want.proposed || got.accepted != want.accepted || got.digest != want.digest) ++mismatches;
      draftLen = want.accepted == draftLen ? std::min(draftLen + 2, 6) : 1 + (draftLen + s) % 5;
    }
    return {};
  }

 private:
  HostArena arena_;
  std::vector<int> embedding_ = embeddingTable();
  StepBuffers buffers_;
  cudaStream_t stream_ = nullptr;
  std::unique_ptr<GraphCache> cache_;
};

}  // namespace spec

int main() {
  int mismatches = 0;
  spec::Speculator speculator;
  spec::Status s = speculator.open();
  if (s) s = speculator.generate(40, mismatches);
  if (!s) {
    SPEC_INFO("stopped at line %d", s.line);
    return std::printf("ERROR %s\n", cudaGetErrorName(s.code)), 1;
  }
  mismatches ? std::printf("WRONG %d\n", mismatches) : std::printf("DONE\n");
  return mismatches ? 1 : 0;
}
