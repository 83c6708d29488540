#include "staging_ring.h"

StagingRing::StagingRing(const UplinkConfig& config) : slots_(config.slots) {
    require(cudaStreamCreateWithFlags(&lane_, cudaStreamNonBlocking));
    const std::size_t bytes = config.max_words * sizeof(std::uint32_t);
    for (Slot& slot : slots_) {
        require(cudaHostAlloc(reinterpret_cast<void**>(&slot.host), bytes, cudaHostAllocDefault));
        require(cudaMalloc(reinterpret_cast<void**>(&slot.device), bytes));
        require(cudaEventCreateWithFlags(&slot.fence, cudaEventDisableTiming));
        require(cudaEventCreateWithFlags(&slot.consumed, cudaEventDisableTiming));
    }
}

StagingRing::~StagingRing() {
    cudaStreamSynchronize(lane_);
    for (Slot& slot : slots_) {
        cudaEventDestroy(slot.consumed);
        cudaEventDestroy(slot.fence);
        cudaFree(slot.device);
        cudaFreeHost(slot.host);
    }
    cudaStreamDestroy(lane_);
}

Slot& StagingRing::acquire(std::size_t words) {
    Slot& slot = slots_[turn_];
    turn_ = (turn_ + 1) % slots_.size();
    require(cudaEventSynchronize(slot.fence));
    slot.words = words;
    return slot;
}

void StagingRing::seal(Slot& slot) {
    require(cudaEventRecord(slot.fence, lane_));
}
