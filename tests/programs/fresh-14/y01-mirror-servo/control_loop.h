#pragma once
#include <cuda_runtime.h>
#include <vector>
#include "sensor.h"

namespace ao {

// Leaky integrator that stays on the device for a whole run and turns slopes
// into mirror commands as they arrive.
class ControlLoop {
public:
    ControlLoop(Geometry geometry, int frames, float gain, float leak);
    ~ControlLoop();
    ControlLoop(const ControlLoop&) = delete;
    ControlLoop& operator=(const ControlLoop&) = delete;

    void setReference(const std::vector<float>& reference);
    void arm();
    std::vector<float> finish();

    float* slopes(int frame) { return slopes_ + size_t(frame) * geometry_.subapertures; }
    unsigned* sequence() { return sequence_; }
    float* reference() { return reference_; }
private:
    Geometry geometry_;
    int frames_;
    float gain_, leak_;
    cudaStream_t stream_ = nullptr;
    float* slopes_ = nullptr;
    float* reference_ = nullptr;
    float* mirror_ = nullptr;
    unsigned* sequence_ = nullptr;
    volatile int* armed_ = nullptr;
};
}  // namespace ao
