#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "staging_ring.h"
#include "uplink_config.h"

class Demodulator {
public:
    Demodulator(const UplinkConfig& config, StagingRing& ring);
    ~Demodulator();

    void feed(Slot& slot, int frame);
    std::vector<std::uint64_t> finish();

private:
    void bulk(Slot& slot);
    void direct(Slot& slot);

    const UplinkConfig config_;
    StagingRing& ring_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t landed_ = nullptr;
    unsigned long long* sums_ = nullptr;
};
