#include "executor.h"

namespace sr {

Executor::Executor(int workers) {
    for (int w = 0; w < workers; ++w) contexts_.push_back(std::make_unique<WorkerContext>());
    for (auto& c : contexts_) threads_.emplace_back([this, ctx = c.get()] { loop(*ctx); });
}

Executor::~Executor() {
    {
        std::lock_guard<std::mutex> lk(m_);
        closing_ = true;
    }
    cv_.notify_all();
    for (auto& t : threads_) t.join();
    flushAll();
}

std::future<int> Executor::submit(Task t) {
    std::packaged_task<int(WorkerContext&)> job(std::move(t));
    auto f = job.get_future();
    {
        std::lock_guard<std::mutex> lk(m_);
        queue_.push_back(std::move(job));
    }
    cv_.notify_one();
    return f;
}

void Executor::flushAll() const {
    for (auto& c : contexts_) c->flush();
}

void Executor::loop(WorkerContext& ctx) {
    for (;;) {
        std::packaged_task<int(WorkerContext&)> job;
        {
            std::unique_lock<std::mutex> lk(m_);
            cv_.wait(lk, [this] { return closing_ || !queue_.empty(); });
            if (queue_.empty()) return;
            job = std::move(queue_.front());
            queue_.pop_front();
        }
        job(ctx);
    }
}

}  // namespace sr
