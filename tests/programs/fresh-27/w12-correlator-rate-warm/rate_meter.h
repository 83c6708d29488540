#pragma once
#include <functional>
#include <string>

#include "device.h"

namespace radio {

struct MeterOptions {
    std::string title = "xcorr sustained";
    int warmup = 2;
    int integrations = 10;
};

struct Rate {
    std::string title;
    double ms_per_integration = 0;
};

class Event {
public:
    Event() { cu(cudaEventCreate(&raw_)); }
    ~Event() { cudaEventDestroy(raw_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record(cudaStream_t stream) { cu(cudaEventRecord(raw_, stream)); }
    void wait() const { cu(cudaEventSynchronize(raw_)); }
    float since(const Event& earlier) const {
        float ms = 0;
        cu(cudaEventElapsedTime(&ms, earlier.raw_, raw_));
        return ms;
    }

private:
    cudaEvent_t raw_ = nullptr;
};

// Reports the sustained time per integration of a correlator back end.
class RateMeter {
public:
    using Body = std::function<void(int integration)>;

    explicit RateMeter(MeterOptions options) : options_(std::move(options)) {}

    Rate measure(const Body& body) {
        const cudaStream_t stream = Device::get().stream();
        for (int i = 0; i < options_.warmup; ++i) body(i);
        cu(cudaStreamSynchronize(stream));
        begin_.record(stream);
        for (int i = 0; i < options_.integrations; ++i) body(i);
        end_.record(stream);
        end_.wait();
        return {options_.title, end_.since(begin_) / options_.integrations};
    }

    const MeterOptions& options() const { return options_; }

private:
    MeterOptions options_;
    Event begin_;
    Event end_;
};

}  // namespace radio
