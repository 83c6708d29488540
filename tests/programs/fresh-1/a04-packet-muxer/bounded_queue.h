#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>

namespace codec {

// Fixed-capacity hand-over between the encoder and the container writer.
template <class T>
class BoundedQueue {
public:
    explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

    void put(T value) {
        std::unique_lock<std::mutex> lock(mutex_);
        room_.wait(lock, [this] { return items_.size() < capacity_; });
        items_.push_back(std::move(value));
        filled_.notify_one();
    }

    T take() {
        std::unique_lock<std::mutex> lock(mutex_);
        filled_.wait(lock, [this] { return !items_.empty(); });
        T value = std::move(items_.front());
        items_.pop_front();
        room_.notify_one();
        return value;
    }

private:
    const std::size_t capacity_;
    std::mutex mutex_;
    std::condition_variable room_;
    std::condition_variable filled_;
    std::deque<T> items_;
};

}  // namespace codec
