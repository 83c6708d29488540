#pragma once
#include "device_buffer.h"
#include "resident_engine.h"
#include <cstddef>
#include <vector>

namespace rig {

struct MonitorConfig {
    int channels = 64;
    int bins = 65536;
    int rounds = 4;
};

struct Reading {
    int channel;
    int round;
    float energy;
};

// Watches the accelerometers of one test stand.
class Monitor {
public:
    explicit Monitor(const MonitorConfig& config);

    void poll_all();
    long audit() const;
    std::size_t readings() const { return log_.size(); }

private:
    std::vector<float> sample_block(int channel, int round) const;
    static float response_at(int channel, int bin);

    MonitorConfig config_;
    ResidentEngine engine_;
    DeviceBuffer<float> response_;
    std::vector<Reading> log_;
};

}  // namespace rig
