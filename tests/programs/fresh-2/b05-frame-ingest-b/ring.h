#pragma once
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace ingest {

inline void ok(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

// Blocking FIFO shared by the pipeline threads.
template <class T>
class Channel {
public:
    void put(T v) {
        {
            std::lock_guard<std::mutex> lk(m_);
            q_.push_back(std::move(v));
        }
        cv_.notify_one();
    }
    void finish() {
        {
            std::lock_guard<std::mutex> lk(m_);
            done_ = true;
        }
        cv_.notify_all();
    }
    std::optional<T> take() {
        std::unique_lock<std::mutex> lk(m_);
        cv_.wait(lk, [&] { return done_ || !q_.empty(); });
        if (q_.empty()) return std::nullopt;
        T v = std::move(q_.front());
        q_.pop_front();
        return v;
    }

private:
    std::mutex m_;
    std::condition_variable cv_;
    std::deque<T> q_;
    bool done_ = false;
};

// A page-locked staging buffer for one raw frame.
class Slot {
public:
    explicit Slot(size_t pixels) {
        ok(cudaMallocHost(reinterpret_cast<void**>(&data_), pixels));
        ok(cudaEventCreateWithFlags(&copied_, cudaEventDisableTiming));
    }
    ~Slot() {
        cudaEventDestroy(copied_);
        cudaFreeHost(data_);
    }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    unsigned char* data() { return data_; }
    cudaEvent_t copied() const { return copied_; }

private:
    unsigned char* data_ = nullptr;
    cudaEvent_t copied_{};
};

class SlotPool {
public:
    SlotPool(int slots, size_t pixels) {
        for (int i = 0; i < slots; ++i) {
            owned_.push_back(std::make_unique<Slot>(pixels));
            free_.put(owned_.back().get());
        }
    }
    Slot* acquire() {
        Slot* s = *free_.take();
        ok(cudaEventSynchronize(s->copied()));
        return s;
    }
    void release(Slot* s) { free_.put(s); }

private:
    std::vector<std::unique_ptr<Slot>> owned_;
    Channel<Slot*> free_;
};

}  // namespace ingest
