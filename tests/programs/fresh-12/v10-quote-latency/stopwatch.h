#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include <cuda_runtime.h>

namespace quotes {

using Clock = std::chrono::steady_clock;

// Runs `fn` on the host when the stream gets there.
cudaError_t post(cudaStream_t stream, std::function<void()> fn);

class Tally {
public:
    explicit Tally(int expected) : begin_(expected), end_(expected), open_(expected) {}

    void started(int id) {
        std::lock_guard<std::mutex> g(m_);
        begin_[id] = Clock::now();
    }
    void finished(int id) {
        std::lock_guard<std::mutex> g(m_);
        end_[id] = Clock::now();
        if (--open_ == 0) {
            closed_ = end_[id];
            cv_.notify_all();
        }
    }
    Clock::time_point wait_closed() {
        std::unique_lock<std::mutex> g(m_);
        cv_.wait(g, [this] { return open_ == 0; });
        return closed_;
    }
    double mean_ms() const {
        double sum = 0;
        for (size_t i = 0; i < begin_.size(); ++i) {
            sum += std::chrono::duration<double, std::milli>(end_[i] - begin_[i]).count();
        }
        return sum / begin_.size();
    }

private:
    std::mutex m_;
    std::condition_variable cv_;
    std::vector<Clock::time_point> begin_, end_;
    Clock::time_point closed_;
    int open_;
};

}  // namespace quotes
