#pragma once
#include <array>
#include <vector>

#include "types.h"

namespace ingest {

constexpr size_t kChunkSamples = 8u << 20;
constexpr int kChunks = 16;
constexpr int kDepth = 3;
constexpr int kTaps = 256;
constexpr int kPartials = 64;

struct Timing {
    double copy_ms = 0;   // one chunk over the bus
    double total_ms = 0;  // all chunks, from the first copy to the last result
    double work_ms = 0;   // one chunk on the device
};

// Correlates chunks with a template while the next ones come in.
class Correlator {
public:
    explicit Correlator(const std::vector<uint32_t>& taps);
    ~Correlator();
    Correlator(const Correlator&) = delete;
    Correlator& operator=(const Correlator&) = delete;

    Samples& intake(int k) { return intake_[static_cast<size_t>(k % kDepth)]; }
    void calibrate(Timing* t);
    void process(Timing* t);
    unsigned long long result(int chunk) const;
    unsigned long long lines() const;

private:
    void correlate(int k, long long ns);

    cudaStream_t feed_, work_;
    std::array<Samples, kDepth> intake_;
    std::array<uint32_t*, kDepth> device_{};
    std::array<cudaEvent_t, kDepth> landed_{}, emptied_{};
    uint32_t* taps_ = nullptr;
    unsigned long long* partial_ = nullptr;
    unsigned long long* lines_ = nullptr;
    Results results_;
};

__host__ __device__ inline uint32_t tap_of(uint32_t i) { return 1u + (i * 29u) % 61u; }
__host__ __device__ inline uint32_t sample_of(int source, uint32_t i) {
    return ((i + 1u) * (2u * static_cast<uint32_t>(source) + 3u) * 2654435761u) >> 20;
}

}  // namespace ingest
