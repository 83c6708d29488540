#pragma once

#include "gate.cuh"

#include <future>

namespace corr {

class Antenna {
public:
    Antenna(int id, int samples);
    ~Antenna();
    Antenna(const Antenna&) = delete;

    void self_test();

    // Runs one integration behind the gate; `armed` is fulfilled once this antenna is set up.
    unsigned long long integrate(const Gate& gate, std::promise<void> armed);

    const Calibration& calibration() const { return *host_calibration_; }

private:
    int samples_;
    cudaStream_t stream_{};
    Calibration* host_calibration_{};
    Calibration* calibration_{};
    unsigned long long* host_power_{};
    unsigned long long* power_{};
};

}  // namespace corr
