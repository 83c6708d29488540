#pragma once
#include <cuda_runtime.h>

#include <vector>

#include "slab_pool.h"

namespace strata {

// Runs gain correction on traces, spread over a few lanes.  Results are handed
// to the caller's vectors as the traces retire.
class TraceExecutor {
public:
    TraceExecutor(SlabPool& pool, int lanes);
    ~TraceExecutor();

    void submit(const std::vector<float>& trace, float gain, std::vector<float>* out);
    void settle();

private:
    SlabPool& pool_;
    std::vector<cudaStream_t> lanes_;
    std::size_t turn_ = 0;
};

}  // namespace strata
