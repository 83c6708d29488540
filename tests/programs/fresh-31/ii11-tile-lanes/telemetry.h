#pragma once

#include <cuda_runtime.h>

#include <vector>

namespace farm {

// Counts submissions for each lane; a monitor may map the counters.
class Telemetry {
public:
    explicit Telemetry(int lanes);
    ~Telemetry();
    Telemetry(const Telemetry&) = delete;
    Telemetry& operator=(const Telemetry&) = delete;

    void attach(cudaStream_t channel) { channel_ = channel; }
    void submitted(int lane);
    void reset();
    std::vector<unsigned> snapshot() const;

private:
    int lanes_;
    unsigned* counters_ = nullptr;
    cudaStream_t channel_ = nullptr;
};

}  // namespace farm
