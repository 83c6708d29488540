#pragma once
#include <condition_variable>
#include <deque>
#include <limits>
#include <mutex>

template <class T>
class BlockingQueue {
public:
    explicit BlockingQueue(size_t limit = std::numeric_limits<size_t>::max()) : limit_(limit) {}

    void push(T v) {
        std::unique_lock<std::mutex> lk(m_);
        room_.wait(lk, [&] { return q_.size() < limit_; });
        q_.push_back(std::move(v));
        filled_.notify_one();
    }

    T pop() {
        std::unique_lock<std::mutex> lk(m_);
        filled_.wait(lk, [&] { return !q_.empty(); });
        T v = std::move(q_.front());
        q_.pop_front();
        room_.notify_one();
        return v;
    }

private:
    size_t limit_;
    std::mutex m_;
    std::condition_variable room_, filled_;
    std::deque<T> q_;
};
