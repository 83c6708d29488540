#pragma once
// Minimal actor kit: every actor owns one thread and one bounded mailbox.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace actors {

template <class Message>
class Mailbox {
public:
    explicit Mailbox(std::size_t capacity) : capacity_(capacity) {}

    void put(Message m)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        room_.wait(lock, [this] { return queue_.size() < capacity_; });
        queue_.push_back(std::move(m));
        ready_.notify_one();
    }

    Message take()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        ready_.wait(lock, [this] { return !queue_.empty(); });
        Message m = std::move(queue_.front());
        queue_.pop_front();
        room_.notify_one();
        return m;
    }

private:
    const std::size_t capacity_;
    std::mutex mutex_;
    std::condition_variable room_, ready_;
    std::deque<Message> queue_;
};

template <class Message>
class Actor {
public:
    explicit Actor(std::size_t capacity) : mailbox_(capacity) {}
    virtual ~Actor() = default;

    void tell(Message m) { mailbox_.put(std::move(m)); }

    void start()
    {
        thread_ = std::thread([this] {
            for (Message m = mailbox_.take(); receive(m); m = mailbox_.take()) {}
        });
    }

    void join() { thread_.join(); }

protected:
    // Returns false when the actor has finished its job.
    virtual bool receive(Message& m) = 0;

private:
    Mailbox<Message> mailbox_;
    std::thread thread_;
};

}  // namespace actors
