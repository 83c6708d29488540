#pragma once
#include "pricer.h"
#include <memory>
#include <vector>

namespace risk {

// Stream that lets its work finish before it goes.
class DrainedStream {
public:
    DrainedStream() { cudaTry(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~DrainedStream() {
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    DrainedStream(const DrainedStream&) = delete;
    DrainedStream& operator=(const DrainedStream&) = delete;
    cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

// Tells the device at the end of trading that no more requests come.
class TradingHours {
public:
    explicit TradingHours(Mailbox& box) : box_(box) {}
    ~TradingHours() { box_.close(); }
    TradingHours(const TradingHours&) = delete;
    TradingHours& operator=(const TradingHours&) = delete;

private:
    Mailbox& box_;
};

struct DeviceDelete {
    void operator()(double* p) const { cudaFree(p); }
};
using DeviceCurve = std::unique_ptr<double, DeviceDelete>;

inline DeviceCurve uploadCurve(const std::vector<double>& points) {
    double* p = nullptr;
    cudaTry(cudaMalloc(reinterpret_cast<void**>(&p), points.size() * sizeof(double)));
    DeviceCurve curve(p);
    cudaTry(cudaMemcpy(p, points.data(), points.size() * sizeof(double), cudaMemcpyHostToDevice));
    return curve;
}

class PricingSession {
public:
    explicit PricingSession(const std::vector<double>& points) : curve_(uploadCurve(points)), hours_(box_) {
        startPricer(box_.onDevice(), curve_.get(), stream_.get());
    }
    double price(const Trade& trade) { return box_.ask(trade); }

private:
    DeviceCurve curve_;
    Mailbox box_;
    TradingHours hours_;
    DrainedStream stream_;
};

}  // namespace risk
