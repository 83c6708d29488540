#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace radar {
struct Totals {
    unsigned long long detections = 0;
    unsigned long long cells = 0;
};

struct DwellRecord {
    int dwell = -1;
    unsigned peak = 0;
    Totals running;
};

struct Segment {
    std::vector<DwellRecord> records;
    Totals totals;
};

// Keeps the mission log. Records come in through a queue of fixed depth (the log
// disk of the real box is slow and its memory small); a writer thread folds them
// into segments and closes each segment with the running totals.
class FlightRecorder {
public:
    FlightRecorder(std::size_t depth, std::size_t recordsPerSegment);
    ~FlightRecorder();

    using SegmentHook = std::function<void(const Segment&)>;
    void onSegmentClose(SegmentHook hook) { hook_ = std::move(hook); }
    void start();
    void push(const DwellRecord& r);
    void finish();

    const std::vector<Segment>& segments() const { return segments_; }
private:
    void writerLoop();
    void append(const DwellRecord& r);

    const std::size_t depth_;
    const std::size_t perSegment_;
    SegmentHook hook_;

    std::mutex m_;
    std::condition_variable notEmpty_;
    std::condition_variable notFull_;
    std::deque<DwellRecord> queue_;
    bool closing_ = false;

    Segment open_;
    std::vector<Segment> segments_;
    std::thread writer_;
};
}  // namespace radar
