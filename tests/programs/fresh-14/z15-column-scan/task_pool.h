#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace scan {

class TaskPool {
public:
    using Task = std::function<void(int worker)>;

    explicit TaskPool(int workers)
    {
        for (int w = 0; w < workers; ++w)
            threads_.emplace_back([this, w] { work(w); });
    }
    ~TaskPool()
    {
        {
            std::lock_guard<std::mutex> lk(m_);
            quit_ = true;
        }
        wake_.notify_all();
        for (auto& t : threads_)
            t.join();
    }

    void submit(Task t)
    {
        {
            std::lock_guard<std::mutex> lk(m_);
            tasks_.push(std::move(t));
            ++pending_;
        }
        wake_.notify_one();
    }

    void wait_idle()
    {
        std::unique_lock<std::mutex> lk(m_);
        idle_.wait(lk, [this] { return pending_ == 0; });
    }

private:
    void work(int worker)
    {
        std::unique_lock<std::mutex> lk(m_);
        for (;;) {
            wake_.wait(lk, [this] { return quit_ || !tasks_.empty(); });
            if (tasks_.empty())
                return;
            Task t = std::move(tasks_.front());
            tasks_.pop();
            lk.unlock();
            t(worker);
            lk.lock();
            if (--pending_ == 0)
                idle_.notify_all();
        }
    }

    std::mutex m_;
    std::condition_variable wake_, idle_;
    std::queue<Task> tasks_;
    std::size_t pending_ = 0;
    bool quit_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace scan
