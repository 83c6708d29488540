#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

namespace mux {

struct Packet {
    int frame = -1;
    std::uint64_t digest = 0;
    std::size_t words = 0;
};

class PacketQueue {
public:
    explicit PacketQueue(std::size_t capacity) : capacity_(capacity) {}

    void put(const Packet& packet) {
        std::unique_lock<std::mutex> lock(mutex_);
        room_.wait(lock, [this] { return packets_.size() < capacity_; });
        packets_.push_back(packet);
        filled_.notify_one();
    }

    Packet take() {
        std::unique_lock<std::mutex> lock(mutex_);
        filled_.wait(lock, [this] { return !packets_.empty(); });
        Packet packet = packets_.front();
        packets_.pop_front();
        room_.notify_one();
        return packet;
    }

    std::size_t size() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return packets_.size();
    }

private:
    const std::size_t capacity_;
    mutable std::mutex mutex_;
    std::condition_variable room_;
    std::condition_variable filled_;
    std::deque<Packet> packets_;
};

}  // namespace mux
