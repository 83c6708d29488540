#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>

namespace replay {

// Fixed capacity hand-over queue between threads.
template <class T>
class BoundedQueue {
public:
    explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

    void push(T value)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        space_.wait(lock, [this] { return items_.size() < capacity_; });
        items_.push_back(std::move(value));
        ready_.notify_one();
    }

    T pop()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        ready_.wait(lock, [this] { return !items_.empty(); });
        T value = std::move(items_.front());
        items_.pop_front();
        space_.notify_one();
        return value;
    }

private:
    const std::size_t capacity_;
    std::mutex mutex_;
    std::condition_variable space_;
    std::condition_variable ready_;
    std::deque<T> items_;
};

}  // namespace replay
