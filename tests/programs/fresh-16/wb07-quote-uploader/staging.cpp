#include "staging.h"

StagingRing::StagingRing(Session& session, unsigned slots, std::size_t slot_bytes)
    : stream_(session.transfer), slot_bytes_(slot_bytes), slots_(slots) {
    for (Slot& s : slots_) {
        ok(cudaHostAlloc(&s.host, slot_bytes, cudaHostAllocDefault));
        ok(cudaEventCreateWithFlags(&s.drained, cudaEventDisableTiming));
    }
}

StagingRing::~StagingRing() {
    for (Slot& s : slots_) {
        cudaEventDestroy(s.drained);
        cudaFreeHost(s.host);
    }
}

StagingRing::Slot& StagingRing::acquire() {
    Slot& s = slots_[next_];
    next_ = (next_ + 1) % slots_.size();
    ok(cudaEventSynchronize(s.drained));
    return s;
}

void StagingRing::commit(Slot& slot) { ok(cudaEventRecord(slot.drained, stream_)); }
