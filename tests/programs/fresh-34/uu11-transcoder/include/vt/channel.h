#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace vt {

// Queue between two stages; the number of surfaces bounds its length.
template <class T>
class Channel {
public:
    void push(T value) {
        {
            std::lock_guard<std::mutex> lock(m_);
            items_.push_back(std::move(value));
        }
        cv_.notify_one();
    }

    void close() {
        {
            std::lock_guard<std::mutex> lock(m_);
            closed_ = true;
        }
        cv_.notify_all();
    }

    // Empty after close() once everything was taken.
    std::optional<T> pop() {
        std::unique_lock<std::mutex> lock(m_);
        cv_.wait(lock, [this] { return closed_ || !items_.empty(); });
        if (items_.empty()) return std::nullopt;
        T value = std::move(items_.front());
        items_.pop_front();
        return value;
    }

private:
    std::mutex m_;
    std::condition_variable cv_;
    std::deque<T> items_;
    bool closed_ = false;
};

}  // namespace vt
