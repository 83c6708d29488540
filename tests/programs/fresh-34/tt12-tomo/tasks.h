// tasks.h - resumable tasks on a few host threads
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace tasks {

class Latch {
public:
    explicit Latch(int n) : left_(n) {}
    void arrive()
    {
        std::lock_guard<std::mutex> g(m_);
        if (--left_ == 0)
            cv_.notify_all();
    }
    void wait()
    {
        std::unique_lock<std::mutex> l(m_);
        cv_.wait(l, [this] { return left_ <= 0; });
    }
private:
    std::mutex m_;
    std::condition_variable cv_;
    int left_;
};

// resume() goes on to the next point at which the task has to be patient
class Task {
public:
    enum class Next { Again, Done };
    virtual ~Task() = default;
    virtual Next resume() = 0;

    std::future<void> finished() { return promise_.get_future(); }

private:
    friend class Scheduler;
    std::promise<void> promise_;
};

class Scheduler {
public:
    explicit Scheduler(int threads)
    {
        for (int i = 0; i < threads; ++i)
            threads_.emplace_back([this] { loop(); });
    }
    ~Scheduler()
    {
        {
            std::lock_guard<std::mutex> g(m_);
            closing_ = true;
        }
        cv_.notify_all();
        for (auto &t : threads_)
            t.join();
    }
    Scheduler(const Scheduler &) = delete;
    Scheduler &operator=(const Scheduler &) = delete;

    std::future<void> spawn(std::shared_ptr<Task> t)
    {
        auto f = t->finished();
        put(std::move(t));
        return f;
    }

private:
    void put(std::shared_ptr<Task> t)
    {
        {
            std::lock_guard<std::mutex> g(m_);
            ready_.push_back(std::move(t));
        }
        cv_.notify_one();
    }

    void loop()
    {
        for (;;) {
            std::shared_ptr<Task> t;
            {
                std::unique_lock<std::mutex> l(m_);
                cv_.wait(l, [this] { return closing_ || !ready_.empty(); });
                if (ready_.empty())
                    return;
                t = std::move(ready_.front());
                ready_.pop_front();
            }
            try {
                if (t->resume() == Task::Next::Done) {
                    t->promise_.set_value();
                } else {
                    std::this_thread::sleep_for(std::chrono::microseconds(100));
                    put(std::move(t));
                }
            } catch (...) {
                t->promise_.set_exception(std::current_exception());
            }
        }
    }

    std::mutex m_;
    std::condition_variable cv_;
    std::deque<std::shared_ptr<Task>> ready_;
    bool closing_ = false;
    std::vector<std::thread> threads_;
};

} // namespace tasks
