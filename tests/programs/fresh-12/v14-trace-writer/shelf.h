#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace seis {

// Hand-over between the acquisition side and the tape thread. put() holds the
// caller back when the tape lags behind.
template <class T>
class Shelf {
public:
    explicit Shelf(size_t room) : room_(room) {}

    void put(T item) {
        std::unique_lock<std::mutex> g(m_);
        space_.wait(g, [this] { return items_.size() < room_; });
        items_.push_back(std::move(item));
        goods_.notify_one();
    }
    std::optional<T> take() {
        std::unique_lock<std::mutex> g(m_);
        goods_.wait(g, [this] { return !items_.empty() || shut_; });
        if (items_.empty()) return std::nullopt;
        T item = std::move(items_.front());
        items_.pop_front();
        space_.notify_one();
        return item;
    }
    void shut() {
        std::lock_guard<std::mutex> g(m_);
        shut_ = true;
        goods_.notify_all();
    }

private:
    const size_t room_;
    bool shut_ = false;
    std::mutex m_;
    std::condition_variable space_, goods_;
    std::deque<T> items_;
};

}  // namespace seis
