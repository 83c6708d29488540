#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace meter {

// General purpose pool: submit() hands back a future of the callable's result.
class Dispatcher {
public:
    explicit Dispatcher(int threads) {
        for (int i = 0; i < threads; ++i) threads_.emplace_back([this, i] { loop(i); });
    }
    ~Dispatcher() {
        {
            std::lock_guard<std::mutex> lock(m_);
            closing_ = true;
        }
        cv_.notify_all();
        for (auto& t : threads_) t.join();
    }
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    template <class F> auto submit(F f) -> std::future<std::invoke_result_t<F, int>> {
        using R = std::invoke_result_t<F, int>;
        auto task = std::make_shared<std::packaged_task<R(int)>>(std::move(f));
        std::future<R> result = task->get_future();
        {
            std::lock_guard<std::mutex> lock(m_);
            tasks_.emplace_back([task](int worker) { (*task)(worker); });
        }
        cv_.notify_one();
        return result;
    }

private:
    void loop(int worker) {
        for (;;) {
            std::function<void(int)> task;
            {
                std::unique_lock<std::mutex> lock(m_);
                cv_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
                if (tasks_.empty()) return;
                task = std::move(tasks_.front());
                tasks_.pop_front();
            }
            task(worker);
        }
    }

    std::mutex m_;
    std::condition_variable cv_;
    std::deque<std::function<void(int)>> tasks_;
    std::vector<std::thread> threads_;
    bool closing_ = false;
};

}  // namespace meter
