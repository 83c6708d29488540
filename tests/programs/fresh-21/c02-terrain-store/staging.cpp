#include "staging.h"

namespace terrain {

StagingLease::~StagingLease() {
    owner_.free_.push_back(slot_);
}

void* StagingLease::address() const noexcept { return owner_.slots_[slot_].memory; }

void StagingLease::send(void* device, std::size_t bytes, cudaStream_t stream) {
    if (bytes > owner_.slotBytes_) throw std::length_error("staging slot too small");
    const StagingArena::Slot& slot = owner_.slots_[slot_];
    check(cudaMemcpyAsync(device, slot.memory, bytes, cudaMemcpyHostToDevice, stream));
    check(cudaEventRecord(slot.sent, stream));
}

StagingArena::StagingArena(std::size_t slotBytes, int initialSlots) : slotBytes_(slotBytes) {
    for (int i = 0; i < initialSlots; ++i) free_.push_back(addSlot());
}

StagingArena::~StagingArena() {
    for (const Slot& slot : slots_) {
        cudaEventSynchronize(slot.sent);
        cudaEventDestroy(slot.sent);
        cudaFreeHost(slot.memory);
    }
}

int StagingArena::addSlot() {
    Slot slot;
    check(cudaHostAlloc(&slot.memory, slotBytes_, cudaHostAllocDefault));
    check(cudaEventCreateWithFlags(&slot.sent, cudaEventDisableTiming));
    slots_.push_back(slot);
    return static_cast<int>(slots_.size()) - 1;
}

StagingLease StagingArena::acquire() {
    for (auto it = free_.begin(); it != free_.end(); ++it) {
        const cudaError_t state = cudaEventQuery(slots_[*it].sent);
        if (state == cudaErrorNotReady) {
            (void)cudaGetLastError();
            continue;
        }
        check(state);
        const int slot = *it;
        free_.erase(it);
        return StagingLease(*this, slot);
    }
    return StagingLease(*this, addSlot());
}

}  // namespace terrain
