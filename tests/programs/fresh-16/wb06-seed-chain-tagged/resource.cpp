#include "resource.h"

namespace seedlib {

std::size_t BinnedResource::bin_of(std::size_t bytes) {
    std::size_t b = 4096;
    while (b < bytes) b <<= 1;
    return b;
}

BinnedResource::~BinnedResource() {
    for (auto& [bin, blocks] : bins_)
        for (Entry& e : blocks) {
            upstream_.deallocate(e.ptr, bin, e.owner);
            cudaEventDestroy(e.last_use);
        }
    for (cudaEvent_t ev : events_) cudaEventDestroy(ev);
}

void* BinnedResource::allocate(std::size_t bytes, cudaStream_t stream) {
    const std::size_t bin = bin_of(bytes);
    auto& blocks = bins_[bin];
    if (blocks.empty()) return upstream_.allocate(bin, stream);
    Entry e = blocks.back();
    blocks.pop_back();
    if (e.owner != stream) SEED_TRY(cudaStreamWaitEvent(stream, e.last_use, 0));
    events_.push_back(e.last_use);
    return e.ptr;
}

void BinnedResource::deallocate(void* p, std::size_t bytes, cudaStream_t stream) {
    Entry e{p, stream, nullptr};
    if (events_.empty()) {
        SEED_TRY(cudaEventCreateWithFlags(&e.last_use, cudaEventDisableTiming));
    } else {
        e.last_use = events_.back();
        events_.pop_back();
    }
    SEED_TRY(cudaEventRecord(e.last_use, stream));
    bins_[bin_of(bytes)].push_back(e);
}

}  // namespace seedlib
