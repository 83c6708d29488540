#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>

namespace tomo {

// Bounded hand-over between the reconstruction and its consumers.
template <class T>
class Outbox {
public:
    explicit Outbox(std::size_t limit) : limit_(limit) {}

    void put(T item) {
        std::unique_lock<std::mutex> lock(mutex_);
        room_.wait(lock, [this] { return items_.size() < limit_; });
        items_.push_back(std::move(item));
        lock.unlock();
        filled_.notify_one();
    }

    T get() {
        std::unique_lock<std::mutex> lock(mutex_);
        filled_.wait(lock, [this] { return !items_.empty(); });
        T item = std::move(items_.front());
        items_.pop_front();
        lock.unlock();
        room_.notify_one();
        return item;
    }

private:
    std::size_t limit_;
    std::deque<T> items_;
    std::mutex mutex_;
    std::condition_variable room_;
    std::condition_variable filled_;
};

}  // namespace tomo
