// Pinned host memory for uploads, handed out in leases of one slot each.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <deque>
#include <stdexcept>
#include <vector>

namespace terrain {

inline void check(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorName(code));
}

class StagingArena;

// One slot of the arena for the duration of a scope.
class StagingLease {
public:
    StagingLease(StagingArena& owner, int slot) noexcept : owner_(owner), slot_(slot) {}
    StagingLease(const StagingLease&) = delete;
    StagingLease& operator=(const StagingLease&) = delete;
    ~StagingLease();

    template <typename T>
    T* as() const noexcept { return static_cast<T*>(address()); }

    // Enqueues the first `bytes` of the slot to device memory.
    void send(void* device, std::size_t bytes, cudaStream_t stream);

private:
    void* address() const noexcept;

    StagingArena& owner_;
    int slot_;
};

// For one host thread; grows by one slot when nothing is free.
class StagingArena {
public:
    StagingArena(std::size_t slotBytes, int initialSlots);
    ~StagingArena();
    StagingArena(const StagingArena&) = delete;

    StagingLease acquire();

private:
    friend class StagingLease;

    struct Slot {
        void* memory = nullptr;
        cudaEvent_t sent = nullptr;
    };

    int addSlot();

    const std::size_t slotBytes_;
    std::vector<Slot> slots_;
    std::deque<int> free_;
};

}  // namespace terrain
