#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace sketch {

// Unbounded queue between the parser, the device worker and the driver's threads.
template <typename T>
class Channel {
public:
    void put(T value) {
        {
            std::lock_guard<std::mutex> hold(mutex_);
            items_.push_back(std::move(value));
        }
        ready_.notify_one();
    }

    std::optional<T> get() {
        std::unique_lock<std::mutex> hold(mutex_);
        ready_.wait(hold, [this] { return closed_ || !items_.empty(); });
        if (items_.empty()) return std::nullopt;
        T value = std::move(items_.front());
        items_.pop_front();
        return value;
    }

    void close() {
        {
            std::lock_guard<std::mutex> hold(mutex_);
            closed_ = true;
        }
        ready_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<T> items_;
    bool closed_ = false;
};

}  // namespace sketch
