#pragma once
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace seis {

// Fixed crew of host threads; every task learns which worker runs it.
class Crew {
public:
    using Task = std::packaged_task<void(int)>;

    explicit Crew(int n) {
        for (int id = 0; id < n; ++id) threads_.emplace_back([this, id] { work(id); });
    }
    ~Crew() {
        {
            std::lock_guard<std::mutex> g(m_);
            stop_ = true;
        }
        cv_.notify_all();
        for (auto& t : threads_) t.join();
    }
    std::future<void> submit(std::function<void(int)> f) {
        Task task(std::move(f));
        auto fut = task.get_future();
        {
            std::lock_guard<std::mutex> g(m_);
            q_.push(std::move(task));
        }
        cv_.notify_one();
        return fut;
    }

private:
    void work(int id) {
        for (;;) {
            Task t;
            {
                std::unique_lock<std::mutex> l(m_);
                cv_.wait(l, [&] { return stop_ || !q_.empty(); });
                if (q_.empty()) return;
                t = std::move(q_.front());
                q_.pop();
            }
            t(id);
        }
    }
    std::mutex m_;
    std::condition_variable cv_;
    std::queue<Task> q_;
    bool stop_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace seis
