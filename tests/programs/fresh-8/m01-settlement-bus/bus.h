#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>

namespace settle {

// Fixed-depth multi-producer mailbox.  Keeps the memory footprint of a
// trading day bounded no matter how fast the lanes net their batches.
template <class Message>
class BoundedBus {
public:
    explicit BoundedBus(std::size_t depth) : depth_(depth) {}

    void publish(Message m)
    {
        std::unique_lock<std::mutex> lk(m_);
        room_.wait(lk, [this] { return box_.size() < depth_; });
        box_.push_back(std::move(m));
        data_.notify_one();
    }

    Message take()
    {
        std::unique_lock<std::mutex> lk(m_);
        data_.wait(lk, [this] { return !box_.empty(); });
        Message m = std::move(box_.front());
        box_.pop_front();
        room_.notify_one();
        return m;
    }

    std::size_t depth() const { return depth_; }

private:
    const std::size_t depth_;
    std::mutex m_;
    std::condition_variable room_, data_;
    std::deque<Message> box_;
};

} // namespace settle
