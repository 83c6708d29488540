#pragma once
#include <cuda_runtime.h>
#include <vector>

namespace rig {

constexpr int kBlockSamples = 4096;

// Command block shared with the device; lives in mapped host memory.
struct Mailbox {
    volatile unsigned request;
    volatile unsigned reply;
    volatile unsigned quit;
    volatile int channel;
    volatile float energy;
    volatile float samples[kBlockSamples];
};

// Low latency analysis service: one kernel stays on the GPU and answers
// requests posted to the mailbox.
class ResidentEngine {
public:
    ResidentEngine();
    ~ResidentEngine();
    ResidentEngine(const ResidentEngine&) = delete;

    void start(const float* response_table, int bins);
    float analyse(int channel, const std::vector<float>& samples);
    void stop();

private:
    Mailbox* box_ = nullptr;
    cudaStream_t stream_ = nullptr;
    unsigned sequence_ = 0;
    bool running_ = false;
};

}  // namespace rig
