#pragma once
#include "lanes.h"

namespace gx {

class Aligner {
public:
    virtual ~Aligner() = default;
    // Queues one batch; its scores land in the batch's own slice.
    virtual void enqueue(int batch) = 0;
    virtual void finish() = 0;
    virtual std::vector<int> scores() const = 0;
};

std::unique_ptr<Aligner> makeBandedAligner(const AlignerConfig& config, RunCounters& counters);

inline int expectedScore(int batch, int read) { return batch * 31 + (read * 5) % 113; }

}  // namespace gx
