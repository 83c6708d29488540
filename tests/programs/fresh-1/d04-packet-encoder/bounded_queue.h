#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

// Multi-producer, multi-consumer queue with a fixed capacity.
template <class T>
class BoundedQueue {
public:
    explicit BoundedQueue(size_t capacity) : capacity_(capacity) {}

    void push(T value) {
        std::unique_lock<std::mutex> lock(mutex_);
        space_.wait(lock, [this] { return items_.size() < capacity_; });
        items_.push_back(std::move(value));
        data_.notify_one();
    }

    std::optional<T> pop() {
        std::unique_lock<std::mutex> lock(mutex_);
        data_.wait(lock, [this] { return !items_.empty() || closed_; });
        if (items_.empty()) return std::nullopt;
        T v = std::move(items_.front());
        items_.pop_front();
        space_.notify_one();
        return v;
    }

    void close() {
        std::lock_guard<std::mutex> lock(mutex_);
        closed_ = true;
        data_.notify_all();
    }

private:
    const size_t capacity_;
    std::mutex mutex_;
    std::condition_variable space_, data_;
    std::deque<T> items_;
    bool closed_ = false;
};
