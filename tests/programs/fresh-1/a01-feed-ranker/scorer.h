#pragma once
#include <cuda_runtime.h>

namespace ranker {

// Shared with the resident scorer through mapped host memory.
struct Mailbox {
    volatile unsigned posted;
    volatile unsigned finished;
    volatile unsigned stop;
    const float* volatile weights;
    volatile double score;
};

void launchScorer(Mailbox* box, const float* features, int dim, cudaStream_t stream);

}  // namespace ranker
