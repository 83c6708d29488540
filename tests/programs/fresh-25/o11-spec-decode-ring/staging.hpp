#pragma once
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace spec {

inline void must(cudaError_t rc) {
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::exit(1);
    }
}

// Page-locked upload slots handed out round robin.
class StagingRing {
public:
    static constexpr int kDepth = 2;

    explicit StagingRing(int ints_per_slot) {
        for (Slot& s : slots_) {
            must(cudaMallocHost(&s.data, ints_per_slot * sizeof(int)));
            must(cudaEventCreateWithFlags(&s.released, cudaEventDisableTiming));
        }
    }
    ~StagingRing() {
        for (Slot& s : slots_) {
            cudaEventDestroy(s.released);
            cudaFreeHost(s.data);
        }
    }
    StagingRing(const StagingRing&) = delete;
    StagingRing& operator=(const StagingRing&) = delete;

    int* acquire() {
        Slot& s = slots_[next_];
        must(cudaEventSynchronize(s.released));
        return s.data;
    }
    void release(cudaStream_t stream) {
        must(cudaEventRecord(slots_[next_].released, stream));
        next_ = (next_ + 1) % kDepth;
    }

private:
    struct Slot {
        int* data = nullptr;
        cudaEvent_t released = nullptr;
    };
    std::array<Slot, kDepth> slots_;
    int next_ = 0;
};

}  // namespace spec
