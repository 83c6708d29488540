#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "status.h"

namespace percept {

struct Slot {
    std::uint32_t* host = nullptr;
    std::size_t words = 0;
};

class SlotPool;

// Move-only right to use one pinned staging slot.
class Lease {
public:
    Lease() = default;
    Lease(SlotPool* pool, Slot* slot) : pool_(pool), slot_(slot) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Lease(Lease&& o) noexcept
        : pool_(std::exchange(o.pool_, nullptr)), slot_(std::exchange(o.slot_, nullptr)) {}
    Lease& operator=(Lease&& o) noexcept {
        if (this != &o) {
            reset();
            pool_ = std::exchange(o.pool_, nullptr);
            slot_ = std::exchange(o.slot_, nullptr);
        }
        return *this;
    }
    ~Lease() { reset(); }

    explicit operator bool() const { return slot_ != nullptr; }
    Slot* operator->() const { return slot_; }
    void reset() noexcept;

private:
    SlotPool* pool_ = nullptr;
    Slot* slot_ = nullptr;
};

class SlotPool {
public:
    SlotPool(std::size_t count, std::size_t words) : slots_(count) {
        free_.reserve(count);
        for (auto& s : slots_) {
            must(cudaHostAlloc(reinterpret_cast<void**>(&s.host), words * sizeof(std::uint32_t),
                               cudaHostAllocDefault));
            s.words = words;
            free_.push_back(&s);
        }
    }
    SlotPool(const SlotPool&) = delete;
    ~SlotPool() {
        for (auto& s : slots_) cudaFreeHost(s.host);
    }

    Lease try_acquire() {
        if (free_.empty()) return {};
        Slot* s = free_.back();
        free_.pop_back();
        return Lease(this, s);
    }

    void give(Slot* s) noexcept { free_.push_back(s); }

private:
    std::vector<Slot> slots_;
    std::vector<Slot*> free_;
};

inline void Lease::reset() noexcept {
    if (slot_) pool_->give(slot_);
    slot_ = nullptr;
    pool_ = nullptr;
}

}  // namespace percept
