#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu.h"

// Fixed set of pinned buffers that the parser fills in turn.
class ReadRing {
public:
    struct Slot {
        std::uint8_t* bases = nullptr;
        gpu::Fence drained;
    };

    ReadRing(std::size_t slots, std::size_t capacity) : slots_(slots), capacity_(capacity) {
        for (auto& s : slots_) gpu::check(cudaMallocHost(&s.bases, capacity));
    }
    ~ReadRing() {
        for (auto& s : slots_) cudaFreeHost(s.bases);
    }

    Slot& next() {
        Slot& slot = slots_[cursor_];
        cursor_ = (cursor_ + 1) % slots_.size();
        slot.drained.await();
        return slot;
    }
    std::size_t capacity() const { return capacity_; }

private:
    std::vector<Slot> slots_;
    std::size_t capacity_;
    std::size_t cursor_ = 0;
};
