#pragma once
#include <cuda_runtime.h>

#include <memory>

namespace sensor {

struct Signal {
    float* data;
    int count;
};

class Step {
public:
    virtual ~Step() = default;
    virtual const char* name() const = 0;
    virtual cudaError_t enqueue(const Signal& signal, cudaStream_t stream) = 0;
};

std::unique_ptr<Step> makeGain(float gain);
std::unique_ptr<Step> makeCentre();
std::unique_ptr<Step> makeClip(float low, float high);

}  // namespace sensor
