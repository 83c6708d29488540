#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace isp {

struct FrameGeometry {
    int width = 1024;
    int height = 512;
    std::size_t pixels() const { return static_cast<std::size_t>(width) * height; }
};

struct Frame {
    std::uint32_t sequence = 0;
    std::vector<std::uint16_t> raw;
};

struct Metering {
    std::uint32_t sequence = 0;
    unsigned long long total = 0;
    unsigned clipped = 0;
};

// Frames handed over by the sensor thread; the oldest one is the one being processed.
class FrameQueue {
public:
    void push(Frame frame) {
        std::lock_guard<std::mutex> hold(mutex_);
        frames_.push_back(std::move(frame));
    }
    bool empty() const {
        std::lock_guard<std::mutex> hold(mutex_);
        return frames_.empty();
    }
    std::uint32_t sequence() const {
        std::lock_guard<std::mutex> hold(mutex_);
        return frames_.front().sequence;
    }
    template <typename Visitor>
    void visit(Visitor&& visitor) const {
        std::lock_guard<std::mutex> hold(mutex_);
        visitor(frames_.front());
    }
    void pop() {
        std::lock_guard<std::mutex> hold(mutex_);
        frames_.pop_front();
    }

private:
    mutable std::mutex mutex_;
    std::deque<Frame> frames_;
};

}  // namespace isp
