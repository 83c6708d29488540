// mixer.h - three-band mixer; the bands and the meter are graphs that are launched per block
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>

namespace mixer {

constexpr int kBands = 3;
constexpr int kTaps = 32;
constexpr int kSamples = 1 << 15;

struct Failure : std::runtime_error {
    explicit Failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void ok(cudaError_t e)
{
    if (e != cudaSuccess)
        throw Failure(e);
}

// the impulse response of a band
void design(int band, float *taps);

class Mixer {
public:
    Mixer();
    ~Mixer();
    Mixer(const Mixer &) = delete;
    Mixer &operator=(const Mixer &) = delete;

    float *input() { return in_; }
    const float *band(int b) const { return out_ + b * kSamples; }
    unsigned loud() const { return *loud_; }

    void set_gain(float g);           // takes effect with the next block
    void set_threshold(float t);
    void process();                   // one block, synchronous

private:
    cudaGraph_t record_bands();
    void        record_band(int b);
    void        assemble_meter();
    cudaKernelNodeParams meter_params();

    cudaStream_t stream_{};

    float    *in_{}, *out_{};         // host
    float    *design_{};
    unsigned *loud_{};
    float    *d_in_{}, *d_out_{}, *d_taps_{};
    unsigned *d_loud_{};

    float gain_ = 1.0f;
    float threshold_ = 10.0f;

    cudaGraph_t     bands_{}, meter_{};
    cudaGraphExec_t bands_exec_{}, meter_exec_{};
    cudaGraphNode_t meter_kernel_{};

    int   n_ = kBands * kSamples;
    void *meter_args_[4]{};
};

} // namespace mixer
