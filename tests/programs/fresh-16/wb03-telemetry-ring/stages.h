#pragma once
#include <cuda_runtime.h>

#include <vector>

#include "tring.h"

namespace telemetry {

[[noreturn]] void fail(const char* name);
void check(cudaError_t rc);
void check(CUresult rc);

struct LinkOptions {
    unsigned ring_depth = 4;
    unsigned samples = 1 << 14;
    unsigned burst = 6;  // packets that arrive in one radio window
    unsigned windows = 5;
};

// Expands raw packets into sample frames, one radio window at a time.
class Demodulator {
public:
    Demodulator(tring_t ring, const LinkOptions& opt);
    ~Demodulator();
    void prepare();
    void window(unsigned first_packet);
    cudaStream_t stream() const { return stream_; }

private:
    tring_t ring_;
    LinkOptions opt_;
    cudaStream_t stream_ = nullptr;
};

// Accumulates every frame into the running spectrum.
class Accumulator {
public:
    Accumulator(tring_t ring, const LinkOptions& opt);
    ~Accumulator();
    void prepare();
    void consume(unsigned packets);
    std::vector<unsigned> result();

private:
    tring_t ring_;
    LinkOptions opt_;
    cudaStream_t stream_ = nullptr;
    unsigned* sum_ = nullptr;
};

}  // namespace telemetry
