#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

struct Picture {
    int number;
    int slot;
};

// Slots for finished pictures. A slot is taken when the device is about to work on a picture and
// given back when the picture has been written to the recording.
class SlotRing {
public:
    explicit SlotRing(int slots) {
        for (int i = 0; i < slots; ++i) free_.push_back(i);
    }

    int take() {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return !free_.empty(); });
        const int slot = free_.front();
        free_.pop_front();
        return slot;
    }

    void give(int slot) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            free_.push_back(slot);
        }
        changed_.notify_all();
    }

    void publish(Picture p) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            ready_.push_back(p);
        }
        changed_.notify_all();
    }

    Picture nextReady() {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return !ready_.empty(); });
        const Picture p = ready_.front();
        ready_.pop_front();
        return p;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<int> free_;
    std::deque<Picture> ready_;
};
