#pragma once
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace tele {

template <std::movable T>
class channel {
public:
    explicit channel(std::size_t capacity) : capacity_{capacity} {}

    void push(T value)
    {
        std::unique_lock lock{mutex_};
        room_.wait(lock, [this] { return items_.size() < capacity_; });
        items_.push_back(std::move(value));
        ready_.notify_one();
    }

    // Empty once a stop has been requested and nothing is left.
    [[nodiscard]] std::optional<T> pop(std::stop_token stop)
    {
        std::unique_lock lock{mutex_};
        if (!ready_.wait(lock, stop, [this] { return !items_.empty(); })) return std::nullopt;
        std::optional<T> value{std::move(items_.front())};
        items_.pop_front();
        room_.notify_one();
        return value;
    }

private:
    const std::size_t capacity_;
    std::mutex mutex_;
    std::condition_variable room_;
    std::condition_variable_any ready_;
    std::deque<T> items_;
};

}  // namespace tele
