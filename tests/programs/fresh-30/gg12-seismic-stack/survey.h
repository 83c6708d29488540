#pragma once
#include <cuda_runtime.h>

#include <vector>

#include "tape.h"

namespace seismic {

constexpr int kTraces = 64;
constexpr int kSamples = 512;
constexpr int kPoints = kTraces * kSamples;
constexpr int kShots = 26;
constexpr int kBuffers = 2;

__host__ __device__ inline int geophone(int shot, int p) {
    unsigned x = static_cast<unsigned>(shot * 52711 + p) * 2654435761u;
    x ^= x >> 13;
    x *= 0x5bd1e995u;
    x ^= x >> 15;
    return static_cast<int>(x & 0x7ff) - 1024;
}

__host__ __device__ inline int muted(int v, int p) { return p % kSamples < 2 * (p / kSamples) ? 0 : v; }

// Where a sample goes after normal move-out.
__host__ __device__ inline int moved_out(int p) {
    const int trace = p / kSamples, t = p % kSamples;
    return trace * kSamples + (t * 3 + trace * 5) % kSamples;
}

// Statistics taken while the processing is tuned on the first shot.
struct Tuning {
    int peak = 0;
    int loops = 0;
};

class Processor {
public:
    Processor();
    ~Processor();
    Processor(const Processor&) = delete;
    Processor& operator=(const Processor&) = delete;

    // Handles a shot; the first is played live, all others from tape.
    void shoot(int shot);
    std::vector<long long> stack();
    const Tuning& tuning() const { return tuning_; }

private:
    void upload(int shot);
    void process();

    Tape tape_;
    cudaStream_t feed_ = nullptr;
    cudaEvent_t arrived_ = nullptr;
    cudaEvent_t taken_ = nullptr;
    cudaEvent_t read_[kBuffers] = {};
    int* raw_[kBuffers] = {};  // page-locked
    int* staging_ = nullptr;
    int* gather_ = nullptr;
    int* peak_ = nullptr;
    long long* stack_ = nullptr;
    Tuning tuning_;
};

}  // namespace seismic
