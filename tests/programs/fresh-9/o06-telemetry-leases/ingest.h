#pragma once
#include "pinned_pool.h"
#include <functional>

// Uplink of a ground station: packets are decoded on the host and calibrated on the device.
class Ingest {
public:
    using Decoder = std::function<void(float* out, size_t n)>;

    Ingest(size_t packetFloats, int maxPackets);
    ~Ingest();
    Ingest(const Ingest&) = delete;

    void submit(const Decoder& decode);
    std::vector<float> drain();

private:
    size_t n_;
    int submitted_ = 0;
    PinnedPool pool_;
    cudaStream_t stream_ = nullptr;
    float* archive_ = nullptr;
};
