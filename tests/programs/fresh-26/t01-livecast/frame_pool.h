#pragma once
// Page-locked picture memory shared between the demuxer and the transcoder.
#include "check.h"
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace livecast {

struct HostFrame {
    int number = -1;
    unsigned char* pixels = nullptr;
};

using FrameRef = std::shared_ptr<HostFrame>;

class FramePool {
public:
    FramePool(int count, std::size_t bytes) : frames_(count) {
        for (auto& f : frames_) {
            LC_CALL(cudaMallocHost(reinterpret_cast<void**>(&f.pixels), bytes));
            idle_.push_back(&f);
        }
    }
    ~FramePool() {
        for (auto& f : frames_) cudaFreeHost(f.pixels);
    }
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;

    // Blocks until a picture is idle. The last owner of the reference hands it back.
    FrameRef acquire() {
        std::unique_lock<std::mutex> lock(mutex_);
        available_.wait(lock, [this] { return !idle_.empty(); });
        HostFrame* f = idle_.front();
        idle_.pop_front();
        return FrameRef(f, [this](HostFrame* p) { recycle(p); });
    }

private:
    void recycle(HostFrame* f) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            idle_.push_back(f);
        }
        available_.notify_one();
    }

    std::vector<HostFrame> frames_;
    std::deque<HostFrame*> idle_;
    std::mutex mutex_;
    std::condition_variable available_;
};

// Hand-over between two threads; a null reference ends the programme.
class FrameQueue {
public:
    void push(FrameRef f) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            items_.push_back(std::move(f));
        }
        filled_.notify_one();
    }
    FrameRef pop() {
        std::unique_lock<std::mutex> lock(mutex_);
        filled_.wait(lock, [this] { return !items_.empty(); });
        FrameRef f = std::move(items_.front());
        items_.pop_front();
        return f;
    }

private:
    std::deque<FrameRef> items_;
    std::mutex mutex_;
    std::condition_variable filled_;
};

}  // namespace livecast
