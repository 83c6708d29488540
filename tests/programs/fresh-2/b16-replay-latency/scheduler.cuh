#pragma once
#include "chain.h"

namespace replay {

struct Figures {
    Millis submit{0};
    Millis complete{0};
};

// Replays a fixed chain of kernels and measures submission and completion.
class Scheduler {
public:
    Scheduler(int cells, unsigned long long stageNs);
    ~Scheduler();

    Figures measure(int replays);
    std::vector<int> cells() const;

private:
    int n_;
    CUstream stream_{};
    CUevent tail_{};
    CUgraphExec exec_{};
    int* data_ = nullptr;
};

}  // namespace replay
