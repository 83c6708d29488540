#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace kmer {

[[noreturn]] inline void fail(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(2);
}
inline void must(cudaError_t e) {
    if (e != cudaSuccess) fail(e);
}

// Page-locked slots used in rotation. A slot comes back with the end of its lease, together with
// the position of the lessee's stream at that moment.
class PinnedRing {
    struct Slot {
        std::uint8_t* data = nullptr;
        cudaEvent_t idle = nullptr;
    };

  public:
    class Lease {
      public:
        Lease(Slot& slot, cudaStream_t stream) : slot_(&slot), stream_(stream) {}
        Lease(Lease&& o) noexcept : slot_(std::exchange(o.slot_, nullptr)), stream_(o.stream_) {}
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (slot_) must(cudaEventRecord(slot_->idle, stream_));
        }
        std::uint8_t* data() const { return slot_->data; }

      private:
        Slot* slot_;
        cudaStream_t stream_;
    };

    PinnedRing(std::size_t bytes, int count) : slots_(count) {
        for (Slot& s : slots_) {
            must(cudaHostAlloc(reinterpret_cast<void**>(&s.data), bytes, cudaHostAllocWriteCombined));
            must(cudaEventCreateWithFlags(&s.idle, cudaEventDisableTiming));
        }
    }
    ~PinnedRing() {
        for (Slot& s : slots_) {
            cudaEventDestroy(s.idle);
            cudaFreeHost(s.data);
        }
    }
    PinnedRing(const PinnedRing&) = delete;
    PinnedRing& operator=(const PinnedRing&) = delete;

    Lease lease(cudaStream_t stream) {
        Slot& s = slots_[next_];
        next_ = (next_ + 1) % slots_.size();
        must(cudaEventSynchronize(s.idle));
        return Lease(s, stream);
    }

  private:
    std::vector<Slot> slots_;
    std::size_t next_ = 0;
};

}  // namespace kmer
