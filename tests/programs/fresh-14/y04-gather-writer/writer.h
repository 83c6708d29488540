#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

struct GatherView {
    int index;
    const float* samples;
    int count;
};

// Archive thread. It owns the order of the slots: a slot is free again when its
// gather is on disk (here: summed).
class TraceWriter {
public:
    TraceWriter(int slots, int gathers);
    ~TraceWriter();

    void awaitSlot(int gather);
    void publish(const GatherView& view);
    void close();
    double checksum(int gather) const { return sums_[gather]; }

private:
    void drain();

    const int slots_;
    std::vector<double> sums_;
    std::deque<GatherView> pending_;
    std::mutex mutex_;
    std::condition_variable changed_;
    int written_ = 0;
    bool closed_ = false;
    std::thread thread_;
};
