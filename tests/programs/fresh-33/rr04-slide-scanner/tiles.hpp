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

namespace slide {

inline void ensure(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

class TilePool;

// A page-locked number with an intrusive count and a link for the free list.
struct Tile {
    std::atomic<int> refs{0};
    TilePool* home = nullptr;
    Tile* next = nullptr;
    std::uint32_t* pixels = nullptr;
    int number = -1;
};

class TilePool {
public:
    TilePool(std::size_t slots, std::size_t words) : count_(slots), tiles_(new Tile[slots]) {
        ensure(cudaMallocHost(&slab_, slots * words * sizeof(std::uint32_t)));
        for (std::size_t i = 0; i < slots; ++i) {
            Tile& s = tiles_[i];
            s.home = this;
            s.pixels = slab_ + i * words;
            s.next = head_;
            head_ = &s;
        }
    }
    ~TilePool() {
        delete[] tiles_;
        cudaFreeHost(slab_);
    }
    TilePool(const TilePool&) = delete;
    TilePool& operator=(const TilePool&) = delete;

    Tile* take() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return head_ != nullptr; });
        return std::exchange(head_, head_->next);
    }
    void give(Tile* s) {
        {
            std::lock_guard lock(mutex_);
            s->next = head_;
            head_ = s;
        }
        ready_.notify_one();
    }

private:
    std::size_t count_;
    Tile* tiles_;
    Tile* head_ = nullptr;
    std::uint32_t* slab_ = nullptr;
    std::mutex mutex_;
    std::condition_variable ready_;
};

class TileRef {
public:
    TileRef() = default;
    explicit TileRef(Tile* s) : s_(s) { retain(); }
    TileRef(const TileRef& o) : s_(o.s_) { retain(); }
    TileRef(TileRef&& o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
    TileRef& operator=(TileRef o) noexcept {
        std::swap(s_, o.s_);
        return *this;
    }
    ~TileRef() {
        if (s_ && s_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) s_->home->give(s_);
    }
    Tile* operator->() const { return s_; }

private:
    void retain() {
        if (s_) s_->refs.fetch_add(1, std::memory_order_relaxed);
    }
    Tile* s_ = nullptr;
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

}  // namespace slide
