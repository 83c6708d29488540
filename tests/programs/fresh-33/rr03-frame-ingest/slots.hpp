#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace ingest {

inline void ensure(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

class SlotPool;

// A page-locked frame with an intrusive count and a link for the free list.
struct Slot {
    std::atomic<int> refs{0};
    SlotPool* home = nullptr;
    Slot* next = nullptr;
    std::uint32_t* pixels = nullptr;
    int frame = -1;
};

class SlotPool {
public:
    SlotPool(std::size_t slots, std::size_t words) : count_(slots), slots_(new Slot[slots]) {
        ensure(cudaMallocHost(&slab_, slots * words * sizeof(std::uint32_t)));
        for (std::size_t i = 0; i < slots; ++i) {
            Slot& s = slots_[i];
            s.home = this;
            s.pixels = slab_ + i * words;
            s.next = head_;
            head_ = &s;
        }
    }
    ~SlotPool() {
        delete[] slots_;
        cudaFreeHost(slab_);
    }
    SlotPool(const SlotPool&) = delete;
    SlotPool& operator=(const SlotPool&) = delete;

    Slot* take() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return head_ != nullptr; });
        return std::exchange(head_, head_->next);
    }
    void give(Slot* s) {
        {
            std::lock_guard lock(mutex_);
            s->next = head_;
            head_ = s;
        }
        ready_.notify_one();
    }

private:
    std::size_t count_;
    Slot* slots_;
    Slot* head_ = nullptr;
    std::uint32_t* slab_ = nullptr;
    std::mutex mutex_;
    std::condition_variable ready_;
};

class SlotRef {
public:
    SlotRef() = default;
    explicit SlotRef(Slot* s) : s_(s) { retain(); }
    SlotRef(const SlotRef& o) : s_(o.s_) { retain(); }
    SlotRef(SlotRef&& o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
    SlotRef& operator=(SlotRef o) noexcept {
        std::swap(s_, o.s_);
        return *this;
    }
    ~SlotRef() {
        if (s_ && s_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) s_->home->give(s_);
    }
    Slot* operator->() const { return s_; }

private:
    void retain() {
        if (s_) s_->refs.fetch_add(1, std::memory_order_relaxed);
    }
    Slot* s_ = nullptr;
};

template <class T>
class Channel {
public:
    void push(T value) {
        {
            std::lock_guard lock(mutex_);
            items_.push_back(std::move(value));
        }
        ready_.notify_one();
    }
    void close() {
        {
            std::lock_guard lock(mutex_);
            closed_ = true;
        }
        ready_.notify_all();
    }
    std::optional<T> pop() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return closed_ || !items_.empty(); });
        if (items_.empty()) return std::nullopt;
        T v = std::move(items_.front());
        items_.pop_front();
        return v;
    }

private:
    std::deque<T> items_;
    bool closed_ = false;
    std::mutex mutex_;
    std::condition_variable ready_;
};

}  // namespace ingest
