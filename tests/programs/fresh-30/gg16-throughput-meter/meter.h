#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace meter {

#define METER_DO(call)                                              \
    do {                                                            \
        const cudaError_t meter_rc = (call);                        \
        if (meter_rc != cudaSuccess) ::meter::abandon(meter_rc);    \
    } while (0)

[[noreturn]] inline void abandon(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// Anything that has a queue of work on the device.
class Party {
public:
    virtual ~Party() = default;
    virtual cudaStream_t queue() const = 0;
};

// Measures what several parties do together.  Has a stream of its own, on
// which nothing but the two dates lies.
class Meter {
public:
    Meter() {
        METER_DO(cudaStreamCreateWithFlags(&line_, cudaStreamNonBlocking));
        METER_DO(cudaEventCreate(&open_));
        METER_DO(cudaEventCreate(&close_));
    }
    ~Meter() {
        cudaStreamSynchronize(line_);
        for (cudaEvent_t t : ticks_) cudaEventDestroy(t);
        cudaEventDestroy(open_);
        cudaEventDestroy(close_);
        cudaStreamDestroy(line_);
    }
    Meter(const Meter&) = delete;
    Meter& operator=(const Meter&) = delete;

    void admit(const Party& p) {
        cudaEvent_t t;
        METER_DO(cudaEventCreateWithFlags(&t, cudaEventDisableTiming));
        ticks_.push_back(t);
        parties_.push_back(&p);
    }

    void start() {
        gather();
        METER_DO(cudaEventRecord(open_, line_));
        for (const Party* p : parties_) METER_DO(cudaStreamWaitEvent(p->queue(), open_, 0));
    }

    float stop() {
        gather();
        METER_DO(cudaEventRecord(close_, line_));
        METER_DO(cudaEventSynchronize(close_));
        float ms = 0;
        METER_DO(cudaEventElapsedTime(&ms, open_, close_));
        return ms;
    }

private:
    // The line goes on when all parties are where they are now.
    void gather() {
        for (size_t i = 0; i < parties_.size(); ++i) {
            METER_DO(cudaEventRecord(ticks_[i], parties_[i]->queue()));
            METER_DO(cudaStreamWaitEvent(line_, ticks_[i], 0));
        }
    }

    cudaStream_t line_ = nullptr;
    cudaEvent_t open_ = nullptr;
    cudaEvent_t close_ = nullptr;
    std::vector<cudaEvent_t> ticks_;
    std::vector<const Party*> parties_;
};

}  // namespace meter
