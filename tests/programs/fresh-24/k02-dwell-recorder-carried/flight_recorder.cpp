#include "flight_recorder.h"

namespace radar {
FlightRecorder::FlightRecorder(std::size_t depth, std::size_t recordsPerSegment)
    : depth_(depth), perSegment_(recordsPerSegment) {}

FlightRecorder::~FlightRecorder() { finish(); }

void FlightRecorder::start() {
    writer_ = std::thread([this] { writerLoop(); });
}

void FlightRecorder::push(const DwellRecord& r) {
    std::unique_lock<std::mutex> lk(m_);
    notFull_.wait(lk, [this] { return queue_.size() < depth_; });
    queue_.push_back(r);
    lk.unlock();
    notEmpty_.notify_one();
}

void FlightRecorder::finish() {
    if (!writer_.joinable()) return;
    {
        std::lock_guard<std::mutex> lk(m_);
        closing_ = true;
    }
    notEmpty_.notify_one();
    writer_.join();
}

void FlightRecorder::writerLoop() {
    for (;;) {
        DwellRecord r;
        {
            std::unique_lock<std::mutex> lk(m_);
            notEmpty_.wait(lk, [this] { return closing_ || !queue_.empty(); });
            if (queue_.empty()) return;
            r = queue_.front();
            queue_.pop_front();
        }
        notFull_.notify_one();
        append(r);
    }
}

void FlightRecorder::append(const DwellRecord& r) {
    open_.records.push_back(r);
    if (open_.records.size() < perSegment_) return;
    open_.totals = r.running;
    if (hook_) hook_(open_);
    segments_.push_back(std::move(open_));
    open_ = Segment{};
}
}  // namespace radar
