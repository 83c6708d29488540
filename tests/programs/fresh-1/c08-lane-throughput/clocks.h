#pragma once
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

inline void verify(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

using Lanes = std::vector<cudaStream_t>;

struct Clock {
    virtual ~Clock() = default;
    virtual void begin(const Lanes& lanes) = 0;
    virtual void end(const Lanes& lanes) = 0;
    virtual double ms() = 0;
};

// Device-side interval spanning every lane.
class DeviceSpan final : public Clock {
public:
    DeviceSpan() {
        verify(cudaEventCreate(&first_));
        verify(cudaEventCreate(&last_));
    }
    ~DeviceSpan() override {
        cudaEventDestroy(first_);
        cudaEventDestroy(last_);
        for (auto e : tails_) cudaEventDestroy(e);
    }
    void begin(const Lanes& lanes) override {
        verify(cudaEventRecord(first_, lanes.front()));
        for (size_t i = 1; i < lanes.size(); ++i) verify(cudaStreamWaitEvent(lanes[i], first_, 0));
    }
    void end(const Lanes& lanes) override {
        for (size_t i = 1; i < lanes.size(); ++i) {
            cudaEvent_t tail;
            verify(cudaEventCreateWithFlags(&tail, cudaEventDisableTiming));
            verify(cudaEventRecord(tail, lanes[i]));
            verify(cudaStreamWaitEvent(lanes.front(), tail, 0));
            tails_.push_back(tail);
        }
        verify(cudaEventRecord(last_, lanes.front()));
    }
    double ms() override {
        float v = 0;
        verify(cudaEventSynchronize(last_));
        verify(cudaEventElapsedTime(&v, first_, last_));
        return v;
    }

private:
    cudaEvent_t first_{}, last_{};
    std::vector<cudaEvent_t> tails_;
};

// Host time spent submitting.
class SubmitCost final : public Clock {
public:
    void begin(const Lanes&) override { t0_ = std::chrono::steady_clock::now(); }
    void end(const Lanes&) override { t1_ = std::chrono::steady_clock::now(); }
    double ms() override { return std::chrono::duration<double, std::milli>(t1_ - t0_).count(); }

private:
    std::chrono::steady_clock::time_point t0_, t1_;
};

inline std::unique_ptr<Clock> make_clock(char kind) {
    if (kind == 'd') return std::make_unique<DeviceSpan>();
    return std::make_unique<SubmitCost>();
}
