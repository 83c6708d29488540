#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace spec {

// A tree of tokens proposed by the n-gram drafter, verified in one target pass.
struct Draft {
    int round = 0;
    std::vector<int> tokens;
};

class DraftQueue {
public:
    explicit DraftQueue(std::size_t capacity) : capacity_(capacity) {}

    void push(Draft d) {
        std::unique_lock<std::mutex> lock(m_);
        room_.wait(lock, [this] { return q_.size() < capacity_; });
        q_.push_back(std::move(d));
        lock.unlock();
        some_.notify_one();
    }

    std::optional<Draft> pop() {
        std::unique_lock<std::mutex> lock(m_);
        some_.wait(lock, [this] { return closed_ || !q_.empty(); });
        if (q_.empty()) return std::nullopt;
        Draft d = std::move(q_.front());
        q_.pop_front();
        lock.unlock();
        room_.notify_one();
        return d;
    }

    void close() {
        {
            std::lock_guard<std::mutex> lock(m_);
            closed_ = true;
        }
        some_.notify_all();
    }

private:
    std::size_t capacity_;
    std::mutex m_;
    std::condition_variable room_, some_;
    std::deque<Draft> q_;
    bool closed_ = false;
};

}  // namespace spec
