#include "staging.h"

namespace terrain {

StagingLease::~StagingLease() {
    owner_.free_.push_back(slot_);
}

void* StagingLease::address() const noexcept { return owner_.memory_[slot_]; }

void StagingLease::send(void* device, std::size_t bytes, cudaStream_t stream) {
    if (bytes > owner_.slotBytes_) throw std::length_error("staging slot too small");
    check(cudaMemcpyAsync(device, address(), bytes, cudaMemcpyHostToDevice, stream));
}

StagingArena::StagingArena(std::size_t slotBytes, int initialSlots) : slotBytes_(slotBytes) {
    for (int i = 0; i < initialSlots; ++i) free_.push_back(addSlot());
}

StagingArena::~StagingArena() {
    for (void* block : memory_) cudaFreeHost(block);
}

int StagingArena::addSlot() {
    void* block = nullptr;
    check(cudaHostAlloc(&block, slotBytes_, cudaHostAllocDefault));
    memory_.push_back(block);
    return static_cast<int>(memory_.size()) - 1;
}

StagingLease StagingArena::acquire() {
    int slot;
    if (free_.empty()) {
        slot = addSlot();
    } else {
        slot = free_.back();
        free_.pop_back();
    }
    return StagingLease(*this, slot);
}

}  // namespace terrain
