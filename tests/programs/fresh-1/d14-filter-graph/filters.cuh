#pragma once
#include <memory>

#include "staging.h"

constexpr int kTaps = 16;

// What a filter may use while it adds its work to a stream.
struct Recorder {
    cudaStream_t stream;
    StagingPool& staging;
    float* signal;
    int samples;
};

class Filter {
public:
    virtual ~Filter() = default;
    virtual void record(Recorder& r) = 0;
    virtual double apply(double x, int i) const = 0;
};

std::unique_ptr<Filter> make_gain(float base);
std::unique_ptr<Filter> make_offset(float base);
