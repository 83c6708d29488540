#pragma once
#include "meter.h"

namespace meter {

constexpr int kBlock = 4096;  // values per packet

struct Extent {
    unsigned long long begin;
    unsigned long long end;
};

struct EncoderConfig {
    int id;
    int stages;       // kernels per packet
    double stage_ms;  // time of each
};

__host__ __device__ inline unsigned stage_value(unsigned v, int id, int stage) {
    return v * 1664525u + static_cast<unsigned>(id * 131 + stage) + 1013904223u;
}

// Encodes packets through a graph that is prepared once.
class Encoder : public Party {
public:
    explicit Encoder(const EncoderConfig& config);
    ~Encoder() override;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    cudaStream_t queue() const override { return stream_; }
    void encode(int packets);
    int packets() const { return packets_; }
    void restart();
    // What the device clock says about the packets since restart().
    Extent extent() const;
    long check() const;

private:
    void enqueue();

    EncoderConfig config_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    unsigned* values_ = nullptr;
    Extent* extent_ = nullptr;
    int packets_ = 0;
};

}  // namespace meter
