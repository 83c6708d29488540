#pragma once

#include <vector>

#include "bench/cuda.h"

namespace bench {

// A set of streams that starts behind lane 0 and ends in lane 0.
class LaneGroup {
public:
    explicit LaneGroup(int lanes);

    void fork();
    void join();
    void settle() const;

    int size() const { return static_cast<int>(lanes_.size()); }
    cudaStream_t lane(int i) const { return lanes_[i].get(); }
    cudaStream_t head() const { return lanes_.front().get(); }

private:
    std::vector<StreamHandle> lanes_;
    std::vector<EventHandle> ends_;
    EventHandle start_;
};

// Device time of one region over all lanes of a group.
class LaneTimer {
public:
    explicit LaneTimer(LaneGroup& group);

    void begin();
    double end();

private:
    LaneGroup& group_;
    EventHandle first_;
    EventHandle last_;
};

}  // namespace bench
