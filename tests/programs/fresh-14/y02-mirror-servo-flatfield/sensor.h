#pragma once
#include <cuda_runtime.h>
#include <memory>

namespace ao {

struct Geometry {
    int subapertures = 128;
    int pixels = 64;  // per subaperture, one row
    size_t frameSize() const { return size_t(subapertures) * pixels; }
};

enum class Method { CentreOfGravity, Thresholded };

// Reduces one camera frame to one slope per subaperture and stamps the
// sequence counter that the controller follows.
class WavefrontSensor {
public:
    virtual ~WavefrontSensor() = default;
    virtual void measure(const float* frame, float* slopes, unsigned* sequence,
                         unsigned stamp, cudaStream_t stream) const = 0;
    virtual float weight(float v) const = 0;
};

std::unique_ptr<WavefrontSensor> makeSensor(Method method, Geometry geometry);
}  // namespace ao
