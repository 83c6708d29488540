#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

struct Packet {
    int frame = -1;
    std::vector<int16_t> payload;
};

// Bounded FIFO between the encoder and the muxer.
class PacketQueue {
public:
    explicit PacketQueue(size_t depth) : depth_(depth) {}

    void push(Packet&& p) {
        std::unique_lock<std::mutex> lock(m_);
        space_.wait(lock, [&] { return q_.size() < depth_; });
        q_.push_back(std::move(p));
        items_.notify_one();
    }

    Packet pop() {
        std::unique_lock<std::mutex> lock(m_);
        items_.wait(lock, [&] { return !q_.empty(); });
        Packet p = std::move(q_.front());
        q_.pop_front();
        space_.notify_one();
        return p;
    }

private:
    std::mutex m_;
    std::condition_variable items_, space_;
    std::deque<Packet> q_;
    const size_t depth_;
};
