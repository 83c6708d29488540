#pragma once
#include "perception.h"
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace perception {

// Collects the latency of frames from submission to the end of their last stage.
class LatencyProbe {
public:
    using Clock = std::chrono::steady_clock;

    explicit LatencyProbe(std::size_t frames) : records_(frames) {
        for (Record& r : records_) r.owner = this;
    }

    void begin(std::size_t frame) { records_[frame].submitted = Clock::now(); }

    void end(std::size_t frame, cudaStream_t stream) {
        orThrow(cudaLaunchHostFunc(stream, &LatencyProbe::stamp, &records_[frame]));
    }

    void await(std::size_t frame) {
        std::unique_lock<std::mutex> lock(mutex_);
        arrived_.wait(lock, [&] { return records_[frame].done; });
    }

    double meanMs(std::size_t from) const {
        std::lock_guard<std::mutex> lock(mutex_);
        double sum = 0;
        for (std::size_t i = from; i < records_.size(); ++i) {
            std::chrono::duration<double, std::milli> d =
                records_[i].completed - records_[i].submitted;
            sum += d.count();
        }
        return sum / static_cast<double>(records_.size() - from);
    }

private:
    struct Record {
        LatencyProbe* owner = nullptr;
        Clock::time_point submitted;
        Clock::time_point completed;
        bool done = false;
    };

    static void CUDART_CB stamp(void* arg) {
        auto* record = static_cast<Record*>(arg);
        auto now = Clock::now();
        std::lock_guard<std::mutex> lock(record->owner->mutex_);
        record->completed = now;
        record->done = true;
        record->owner->arrived_.notify_all();
    }

    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<Record> records_;
};

}  // namespace perception
