#pragma once
// Fixed pool of GPU scratch blocks behind generational handles; the free list is first in, first out.
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "platform.h"

struct ScratchHandle {
    uint16_t slot = 0xffff;
    uint16_t generation = 0;
};

class ScratchPool {
public:
    static constexpr uint16_t kCapacity = 2;

    explicit ScratchPool(size_t blockBytes) {
        for (uint16_t i = 0; i < kCapacity; ++i) {
            GPU_CHECK(cudaMalloc(&slots_[i].memory, blockBytes));
            slots_[i].next = static_cast<uint16_t>(i + 1);
        }
    }
    ~ScratchPool() {
        for (Slot& s : slots_) cudaFree(s.memory);
    }
    ScratchPool(const ScratchPool&) = delete;
    ScratchPool& operator=(const ScratchPool&) = delete;

    ScratchHandle acquire() {
        std::lock_guard<std::mutex> guard(lock_);
        assert(head_ < kCapacity);
        ScratchHandle h;
        h.slot = head_;
        h.generation = slots_[head_].generation;
        head_ = slots_[head_].next;
        return h;
    }

    template <class T>
    T* resolve(ScratchHandle h) {
        std::lock_guard<std::mutex> guard(lock_);
        Slot& s = slots_[h.slot];
        return s.generation == h.generation ? static_cast<T*>(s.memory) : nullptr;
    }

    void release(ScratchHandle h) {
        std::lock_guard<std::mutex> guard(lock_);
        Slot& s = slots_[h.slot];
        assert(s.generation == h.generation);
        ++s.generation;
        s.next = kCapacity;
        if (head_ == kCapacity)
            head_ = h.slot;
        else
            slots_[tail_].next = h.slot;
        tail_ = h.slot;
    }

private:
    struct Slot {
        void* memory = nullptr;
        uint16_t generation = 1;
        uint16_t next = kCapacity;
    };
    Slot slots_[kCapacity];
    uint16_t head_ = 0;
    uint16_t tail_ = kCapacity - 1;
    std::mutex lock_;
};
