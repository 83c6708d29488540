// Probe rows of a field simulation. Rows live in device memory; a service
// thread provides them one by one as the stepper asks for them.
#pragma once

#include <cuda_runtime.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace cavity {

class CudaError : public std::runtime_error {
public:
    explicit CudaError(cudaError_t status) : std::runtime_error(cudaGetErrorName(status)) {}
};

inline void ok(cudaError_t status)
{
    if (status != cudaSuccess) throw CudaError(status);
}

class ServiceThread {
public:
    ServiceThread() : thread_([this] { loop(); }) {}
    ~ServiceThread()
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            stop_ = true;
        }
        wake_.notify_all();
        thread_.join();
    }

    template <class R>
    std::future<R> post(std::function<R()> work)
    {
        auto task = std::make_shared<std::packaged_task<R()>>(std::move(work));
        std::future<R> result = task->get_future();
        {
            std::lock_guard<std::mutex> lock(mutex_);
            queue_.emplace_back([task] { (*task)(); });
        }
        wake_.notify_one();
        return result;
    }

private:
    void loop()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            wake_.wait(lock, [this] { return stop_ || !queue_.empty(); });
            if (queue_.empty()) return;
            std::function<void()> work = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            work();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> queue_;
    bool stop_ = false;
    std::thread thread_;
};

class ProbeStore {
public:
    explicit ProbeStore(int width) : width_(width) {}
    ~ProbeStore()
    {
        for (int* row : rows_) cudaFree(row);
    }

    // Row k, provided when it is asked for the first time.
    int* row(std::size_t k)
    {
        while (rows_.size() <= k) {
            std::future<int*> fresh = service_.post<int*>([bytes = width_ * sizeof(int)] {
                int* ptr = nullptr;
                ok(cudaMalloc(&ptr, bytes));
                return ptr;
            });
            rows_.push_back(fresh.get());
        }
        return rows_[k];
    }
    std::size_t size() const { return rows_.size(); }

private:
    int width_;
    std::vector<int*> rows_;
    ServiceThread service_;
};

} // namespace cavity
