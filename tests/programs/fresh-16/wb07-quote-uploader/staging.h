#pragma once
#include <cstddef>
#include <vector>

#include "common.h"

// Pinned staging slots used in rotation.
class StagingRing {
public:
    struct Slot {
        void* host = nullptr;
        cudaEvent_t drained = nullptr;
    };

    StagingRing(Session& session, unsigned slots, std::size_t slot_bytes);
    ~StagingRing();
    StagingRing(const StagingRing&) = delete;
    StagingRing& operator=(const StagingRing&) = delete;

    // Next slot, free for writing by the host.
    Slot& acquire();
    // The slot's copy has been queued.
    void commit(Slot& slot);

    std::size_t slot_bytes() const { return slot_bytes_; }

private:
    cudaStream_t stream_;
    std::size_t slot_bytes_;
    std::vector<Slot> slots_;
    std::size_t next_ = 0;
};
