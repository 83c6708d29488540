#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace jobs {
using Counter = std::atomic<int>;

// Fixed set of workers; a counter falls to zero when all the jobs booked on it are through.
class Scheduler {
public:
    explicit Scheduler(int workers)
    {
        for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { loop(); });
    }
    ~Scheduler()
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            quit_ = true;
        }
        wake_.notify_all();
        for (std::thread& worker : workers_) worker.join();
    }

    void kick(Counter& counter, std::function<void()> job)
    {
        ++counter;
        std::lock_guard<std::mutex> lock(mutex_);
        pending_.push_back({&counter, std::move(job)});
        wake_.notify_one();
    }
    void wait(Counter& counter)
    {
        while (counter.load(std::memory_order_acquire) > 0) std::this_thread::yield();
    }
private:
    struct Entry {
        Counter* counter;
        std::function<void()> job;
    };
    void loop()
    {
        for (;;) {
            std::unique_lock<std::mutex> lock(mutex_);
            wake_.wait(lock, [this] { return quit_ || !pending_.empty(); });
            if (pending_.empty()) return;
            Entry entry = std::move(pending_.front());
            pending_.pop_front();
            lock.unlock();
            entry.job();
            entry.counter->fetch_sub(1, std::memory_order_acq_rel);
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Entry> pending_;
    std::vector<std::thread> workers_;
    bool quit_ = false;
};
}  // namespace jobs
