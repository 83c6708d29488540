#pragma once
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace plasma {

inline void guard(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

// Restart files. A snapshot is packed on the solver's stream, encoded and copied
// down on the archive's own stream, and stored by a background thread. Snapshots
// go round over a small ring of slots.
class Archive {
public:
    using Blob = std::vector<uint32_t>;

    Archive(int particles, int slots);
    ~Archive();
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    // Takes a snapshot of the positions; returns as soon as it is queued.
    void snapshot(int step, const uint32_t* positions, cudaStream_t solver);

    // No more snapshots; returns when all are stored.
    const std::map<int, Blob>& finish();

private:
    struct Slot {
        uint32_t* packed = nullptr;    // device
        uint32_t* encoded = nullptr;   // device
        uint32_t* staging = nullptr;   // host, pinned
        cudaEvent_t packed_at = nullptr;
        cudaEvent_t arrived = nullptr;
    };
    struct Job {
        int step = 0;
        unsigned ticket = 0;
    };

    void store_loop();
    Slot& slot_of(unsigned ticket) { return slots_[ticket % slots_.size()]; }

    const int particles_;
    cudaStream_t stream_ = nullptr;
    std::vector<Slot> slots_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    unsigned issued_ = 0;   // tickets handed out
    unsigned stored_ = 0;   // tickets on file
    bool closing_ = false;

    std::map<int, Blob> files_;
    std::thread writer_;
};

uint32_t decode(uint32_t encoded, uint32_t previous, int index);

}  // namespace plasma
