#pragma once
#include "calibration.h"
#include <array>

namespace radar {

// Keeps one kernel resident and feeds it sweep after sweep with low latency.
class ResidentDetector {
public:
    ResidentDetector();
    ~ResidentDetector();

    void start(float gain);
    void process(const std::vector<float>& sweep, std::vector<float>& detections);
    void recalibrate(float gain);
    void stop();

private:
    void post(Command command);

    cudaStream_t loopStream_ = nullptr;
    cudaStream_t uploadStream_ = nullptr;
    Mailbox* mailbox_ = nullptr;
    Mailbox* mailboxDevice_ = nullptr;
    float* stage_ = nullptr;
    std::unique_ptr<CalibrationTable> active_;
    std::unique_ptr<CalibrationTable> standby_;
    unsigned tickets_ = 0;
    bool running_ = false;
};

}  // namespace radar
