#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "envelope.h"

constexpr int kScanSamples = 96 * 1024;

// Owns the map. Scans arrive in its mailbox and are integrated in order of arrival.
class MapActor {
public:
    explicit MapActor(int layers);
    ~MapActor();

    void post(EnvelopePtr message);
    void shutdown();
    const float* layer(int index) const { return map_ + static_cast<size_t>(index) * kScanSamples; }

private:
    void loop();
    void deliver(EnvelopePtr scan);
    void settle(size_t keep);

    struct Shipment {
        EnvelopePtr envelope;
        cudaEvent_t uploaded;
    };

    cudaStream_t stream_ = nullptr;
    float* map_ = nullptr;
    float* inbox_ = nullptr;
    std::deque<Shipment> shipments_;

    std::mutex mutex_;
    std::condition_variable mail_;
    std::deque<EnvelopePtr> mailbox_;
    bool closed_ = false;
    std::thread thread_;
};
