#pragma once
// Bounded channel between the stages of the mapper.
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

template <class T>
class Channel {
public:
    explicit Channel(std::size_t capacity) : capacity_(capacity) {}

    void put(T value) {
        std::unique_lock<std::mutex> lock(mutex_);
        room_.wait(lock, [this] { return items_.size() < capacity_; });
        items_.push_back(std::move(value));
        lock.unlock();
        some_.notify_one();
    }

    std::optional<T> get() {
        std::unique_lock<std::mutex> lock(mutex_);
        some_.wait(lock, [this] { return closed_ || !items_.empty(); });
        if (items_.empty()) return std::nullopt;
        T value = std::move(items_.front());
        items_.pop_front();
        lock.unlock();
        room_.notify_one();
        return value;
    }

    void close() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            closed_ = true;
        }
        some_.notify_all();
    }

private:
    const std::size_t capacity_;
    std::deque<T> items_;
    bool closed_ = false;
    std::mutex mutex_;
    std::condition_variable room_, some_;
};
