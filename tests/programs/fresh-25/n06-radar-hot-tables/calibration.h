#pragma once
#include "radar_types.h"
#include <memory>
#include <vector>

namespace radar {

// A gain table on the device, filled through a pinned stage.
class CalibrationTable {
public:
    CalibrationTable() { ensure(cudaMalloc(&device_, kTableEntries * sizeof(float))); }
    ~CalibrationTable() { cudaFree(device_); }
    CalibrationTable(const CalibrationTable&) = delete;
    CalibrationTable& operator=(const CalibrationTable&) = delete;

    const float* device() const { return device_; }
    float gain() const { return gain_; }

    void load(float gain, float* stage, cudaStream_t stream) {
        gain_ = gain;
        for (int i = 0; i < kTableEntries; ++i) stage[i] = gain + static_cast<float>(i % 3);
        ensure(cudaMemcpyAsync(device_, stage, kTableEntries * sizeof(float),
                               cudaMemcpyHostToDevice, stream));
        ensure(cudaStreamSynchronize(stream));
    }

private:
    float* device_ = nullptr;
    float gain_ = 0;
};

}  // namespace radar
