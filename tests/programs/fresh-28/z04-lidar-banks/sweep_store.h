#pragma once
#include "lidar.h"

namespace lidar {

// A staging slot: filled by the sensor, read by the uploader.
struct Slot {
    Point* points = nullptr;
    cudaEvent_t uploaded = nullptr;
};

// Where a sweep lives on the device.
struct Bank {
    Point* points = nullptr;
    cudaEvent_t consumed = nullptr;
};

// Page-locked staging slots and the device banks behind them.
class SweepStore {
public:
    explicit SweepStore(const Config& config);
    ~SweepStore();
    SweepStore(const SweepStore&) = delete;
    SweepStore& operator=(const SweepStore&) = delete;

    Slot& slot(const Sweep& sweep) { return slots_[sweep.slot]; }
    Bank& bank(const Sweep& sweep) { return banks_[sweep.seq % banks_.size()]; }

    // Brings the sweep to its bank; returns at once.
    void upload(const Sweep& sweep);

private:
    std::size_t bytes_;
    cudaStream_t copy_ = nullptr;
    std::vector<Slot> slots_;
    std::vector<Bank> banks_;
};

}  // namespace lidar
