#pragma once
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

// Fixed crew of threads; jobs are told which seat they run in.
class Crew {
public:
    explicit Crew(int seats) {
        for (int i = 0; i < seats; ++i) threads_.emplace_back([this, i] { serve(i); });
    }
    ~Crew() {
        {
            std::lock_guard<std::mutex> lk(m_);
            stopping_ = true;
        }
        cv_.notify_all();
        for (auto& t : threads_) t.join();
    }
    template <class F>
    auto post(F&& f) -> std::future<decltype(f(0))> {
        using R = decltype(f(0));
        auto task = std::make_shared<std::packaged_task<R(int)>>(std::forward<F>(f));
        auto result = task->get_future();
        {
            std::lock_guard<std::mutex> lk(m_);
            q_.push([task](int seat) { (*task)(seat); });
        }
        cv_.notify_one();
        return result;
    }

private:
    void serve(int seat) {
        for (;;) {
            std::function<void(int)> job;
            {
                std::unique_lock<std::mutex> lk(m_);
                cv_.wait(lk, [this] { return stopping_ || !q_.empty(); });
                if (q_.empty()) return;
                job = std::move(q_.front());
                q_.pop();
            }
            job(seat);
        }
    }
    std::mutex m_;
    std::condition_variable cv_;
    std::queue<std::function<void(int)>> q_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};
