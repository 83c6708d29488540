#pragma once
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <queue>
#include <utility>

template <class T>
class BoundedQueue {
public:
    explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

    void push(T item) {
        std::unique_lock<std::mutex> lock(mutex_);
        room_.wait(lock, [this] { return items_.size() < capacity_; });
        items_.push(std::move(item));
        filled_.notify_one();
    }

    T pop() {
        std::unique_lock<std::mutex> lock(mutex_);
        filled_.wait(lock, [this] { return !items_.empty(); });
        T item = std::move(items_.front());
        items_.pop();
        room_.notify_one();
        return item;
    }

private:
    const std::size_t capacity_;
    std::mutex mutex_;
    std::condition_variable room_, filled_;
    std::queue<T> items_;
};
