#pragma once
#include "gpu.h"
#include <vector>

namespace lidar {

constexpr int kBeams = 256;
constexpr int kRingSlots = 8;

struct Ring {
    unsigned head;
    unsigned tail;
    int slot[kRingSlots][kBeams];
};

// Streams sensor packets through an on-device ring into a scan accumulator.
class Relay {
public:
    explicit Relay(int max_packets);

    void warm();
    std::vector<long long> assemble(const std::vector<int>& packets);
    unsigned progress_at_open() const { return progress_at_open_; }

private:
    int max_packets_;
    gpu::device_ptr<Ring> ring_;
    gpu::device_ptr<int> feed_;
    gpu::device_ptr<long long> scan_;
    gpu::pinned_ptr<int> staging_;
    gpu::pinned_ptr<long long> result_;
    gpu::pinned_ptr<unsigned> progress_;
    unsigned progress_at_open_ = 0;
    gpu::Stream assembler_;
    gpu::Stream source_;
    gpu::Stream telemetry_;
    gpu::Event cleared_;
};

}  // namespace lidar
