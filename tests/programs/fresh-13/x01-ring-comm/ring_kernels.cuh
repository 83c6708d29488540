#pragma once
#include <cuda_runtime.h>

namespace ring {

constexpr int kMaxRanks = 8;
constexpr int kCopyBlocks = 4;
constexpr int kCopyThreads = 128;

struct Mailbox {
  unsigned posted[kMaxRanks];  // blocks that have delivered, ever growing
  unsigned done;               // sequence number of the last finished collective
};

cudaError_t launchStage(const float* src, float* slot, size_t count, Mailbox* box, int rank,
                        cudaStream_t stream);
cudaError_t launchCollect(float* dst, const float* result, size_t count, const Mailbox* box,
                          unsigned seq, cudaStream_t stream);
cudaError_t launchProgress(Mailbox* box, const float* slots, float* result, const size_t* counts,
                           size_t stride, int ranks, const int* stop, cudaStream_t stream);

}  // namespace ring
