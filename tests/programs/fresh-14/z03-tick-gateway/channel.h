#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>

namespace gw {

// Bounded multi-producer, multi-consumer channel.
template <class T>
class BoundedChannel {
public:
    explicit BoundedChannel(std::size_t capacity) : capacity_(capacity) {}

    void push(T v)
    {
        std::unique_lock<std::mutex> lk(m_);
        space_.wait(lk, [this] { return items_.size() < capacity_; });
        items_.push_back(std::move(v));
        lk.unlock();
        data_.notify_one();
    }

    bool pop(T& out)
    {
        std::unique_lock<std::mutex> lk(m_);
        data_.wait(lk, [this] { return !items_.empty() || closed_; });
        if (items_.empty())
            return false;
        out = std::move(items_.front());
        items_.pop_front();
        lk.unlock();
        space_.notify_one();
        return true;
    }

    void close()
    {
        {
            std::lock_guard<std::mutex> lk(m_);
            closed_ = true;
        }
        data_.notify_all();
    }

private:
    std::size_t capacity_;
    std::deque<T> items_;
    bool closed_ = false;
    std::mutex m_;
    std::condition_variable space_;
    std::condition_variable data_;
};

}  // namespace gw
