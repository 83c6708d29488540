#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "uplink_config.h"

struct Slot {
    std::uint32_t* host = nullptr;
    std::uint32_t* device = nullptr;
    std::size_t words = 0;
    cudaEvent_t fence = nullptr;
    cudaEvent_t consumed = nullptr;
};

// Pinned slots handed out in turn, each with its place on the device.
class StagingRing {
public:
    explicit StagingRing(const UplinkConfig& config);
    ~StagingRing();
    StagingRing(const StagingRing&) = delete;
    StagingRing& operator=(const StagingRing&) = delete;

    Slot& acquire(std::size_t words);
    void seal(Slot& slot);
    cudaStream_t lane() const { return lane_; }

private:
    std::vector<Slot> slots_;
    std::size_t turn_ = 0;
    cudaStream_t lane_ = nullptr;
};

void require(cudaError_t status);
