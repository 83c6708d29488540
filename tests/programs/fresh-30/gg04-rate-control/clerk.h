#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace xcode {

constexpr int kBands = 8;

// Page-locked, one per segment.
struct SegmentStats {
    uint32_t energy[kBands];
};

// Page-locked, one per segment; read by the quantiser on the device.
struct SegmentPlan {
    uint32_t step[kBands];
};

// Chooses quantiser steps segment by segment, from the statistics of all
// segments so far.
class RateModel {
public:
    SegmentPlan next(const SegmentStats& s);

private:
    uint64_t debt_ = 0;
};

// The rate controller.  Segments are announced in order; for each the clerk
// fills in the plan and raises the dial.
class Clerk {
public:
    Clerk(const SegmentStats* stats, SegmentPlan* plans, uint32_t* dial, int segments);
    ~Clerk();
    Clerk(const Clerk&) = delete;
    Clerk& operator=(const Clerk&) = delete;

    // Announces a segment; called from anywhere.
    void announce(int segment);

private:
    void work();

    const SegmentStats* stats_;
    SegmentPlan* plans_;
    uint32_t* dial_;
    int segments_;
    std::mutex mutex_;
    std::condition_variable bell_;
    std::deque<int> inbox_;
    bool leaving_ = false;
    std::thread thread_;
};

}  // namespace xcode
