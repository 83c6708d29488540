#pragma once
#include "stage.h"

#include <vector>

namespace feed {

// Page shared with the sequencer block on the device.
struct doorbell {
    volatile unsigned head;
    volatile unsigned closing;
    volatile unsigned acked;
};

// A trading session: one block stays on the device, numbers the batches that
// were rung in and acknowledges them; the stages transform the ticks.
class session {
public:
    session(std::vector<std::string> chain, int max_ticks);
    ~session();

    void open();
    void process(const float* pinned_in, float* pinned_out, int count);
    unsigned close();

private:
    void dry_run();

    std::vector<std::unique_ptr<stage>> chain_;
    tick_batch batch_;
    cudaStream_t sequencer_ = nullptr;
    cudaStream_t work_ = nullptr;
    doorbell* bell_ = nullptr;
    doorbell* bell_dev_ = nullptr;
    unsigned* sequence_ = nullptr;
    int max_ticks_;
};

}  // namespace feed
