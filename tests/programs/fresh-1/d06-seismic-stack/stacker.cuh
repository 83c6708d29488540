#pragma once
#include "pool.h"

namespace seis {

// Turns one shot gather into one stacked trace.
class Stacker {
public:
    Stacker(BlockPool& pool, int samples);
    ~Stacker();
    void stack(int shot, const Lane& lane);
    const float* traces() const { return result_; }
    static constexpr int kMaxShots = 8;

private:
    BlockPool& pool_;
    int samples_;
    float* result_ = nullptr;
};

}  // namespace seis
