#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace genome {

inline void must(cudaError_t e) {
    if (e != cudaSuccess) throw e;
}

struct Slot {
    uint8_t* host = nullptr;
    uint8_t* device = nullptr;
    cudaEvent_t idle = nullptr;
    int batch = -1;
    size_t bytes = 0;
};

// A ring of page-locked slots, each with its own place on the device.
class StagingRing {
public:
    StagingRing(size_t slots, size_t slotBytes) : slots_(slots) {
        for (auto& s : slots_) {
            must(cudaMallocHost(&s.host, slotBytes));
            must(cudaMalloc(&s.device, slotBytes));
            must(cudaEventCreateWithFlags(&s.idle, cudaEventDisableTiming));
        }
    }
    ~StagingRing() {
        for (auto& s : slots_) {
            cudaEventDestroy(s.idle);
            cudaFree(s.device);
            cudaFreeHost(s.host);
        }
    }
    StagingRing(const StagingRing&) = delete;

    Slot& acquire() {
        Slot& s = slots_[cursor_];
        cursor_ = (cursor_ + 1) % slots_.size();
        must(cudaEventSynchronize(s.idle));
        return s;
    }

    void publish(Slot& s, cudaStream_t stream) { must(cudaEventRecord(s.idle, stream)); }

    size_t size() const { return slots_.size(); }

private:
    std::vector<Slot> slots_;
    size_t cursor_ = 0;
};

// Collects filled slots and hands them to the device in groups.
class UploadQueue {
public:
    UploadQueue(StagingRing& ring, size_t group, int batches);
    ~UploadQueue();

    void enqueue(Slot& slot);
    void flush();
    std::vector<unsigned> finish();

private:
    StagingRing& ring_;
    size_t group_;
    int batches_;
    std::vector<Slot*> pending_;
    cudaStream_t stream_ = nullptr;
    unsigned* gc_ = nullptr;
};

}  // namespace genome
