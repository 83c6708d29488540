#pragma once
#include <cuda_runtime.h>
#include <vector>

// User-facing description of an equaliser band.
struct Band {
    float tilt;
    float width;
    float gain;
};

// What the device needs.
struct Taps {
    float b0, b1, b2, gain;
};

inline Taps design(const Band& b)
{
    Taps t;
    t.b0 = 0.5f + 0.25f * b.tilt;
    t.b1 = 0.25f * b.width;
    t.b2 = 0.5f - 0.25f * b.tilt;
    t.gain = b.gain;
    return t;
}

// Plays one block of samples through every band; each band is a recorded graph.
class FilterBank {
public:
    FilterBank(std::vector<Band> bands, int blockLength);
    FilterBank(const FilterBank&) = delete;
    FilterBank& operator=(const FilterBank&) = delete;
    ~FilterBank();

    float* input() { return in_; }
    const float* output(int band) const { return voices_[band].out; }
    void play();

private:
    struct Voice {
        cudaStream_t stream = nullptr;
        cudaGraphExec_t exec = nullptr;
        float* dIn = nullptr;
        float* dOut = nullptr;
        Taps* dTaps = nullptr;
        float* out = nullptr;
    };

    void record(int band);

    std::vector<Band> bands_;
    int length_;
    float* in_ = nullptr;
    std::vector<Voice> voices_;
};
