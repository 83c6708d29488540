#pragma once
#include "gpu.h"
#include <algorithm>
#include <vector>

namespace voice {

class Meter {
public:
    explicit Meter(cudaStream_t s)
        : stream_(s), start_(makeEvent(cudaEventDefault)), stop_(makeEvent(cudaEventDefault)) {}
    void start() { must(cudaEventRecord(start_.get(), stream_)); }
    void stop() { must(cudaEventRecord(stop_.get(), stream_)); }
    float millis() const {
        float ms = 0;
        must(cudaEventSynchronize(stop_.get()));
        must(cudaEventElapsedTime(&ms, start_.get(), stop_.get()));
        return ms;
    }

private:
    cudaStream_t stream_;
    Event start_;
    Event stop_;
};

struct BenchPlan {
    int warm = 1;
    int laps = 3;
};

// Median batch latency on the device.
template <class Service>
double batchLatency(Service& service, const BenchPlan& plan) {
    Meter meter(service.front());
    std::vector<double> laps;
    for (int i = 0; i < plan.warm + plan.laps; ++i) {
        meter.start();
        service.dispatch();
        meter.stop();
        service.collect();
        if (i >= plan.warm) laps.push_back(meter.millis());
    }
    std::nth_element(laps.begin(), laps.begin() + laps.size() / 2, laps.end());
    return laps[laps.size() / 2];
}

}  // namespace voice
