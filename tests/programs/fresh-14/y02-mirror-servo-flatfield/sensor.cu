#include "sensor.h"
#include "check.h"

namespace ao {
namespace {
struct Plain {
    __host__ __device__ float operator()(float v) const { return v; }
};

struct Floor {
    float level;
    __host__ __device__ float operator()(float v) const { return v > level ? v - level : 0.0f; }
};

template <class Weight>
__global__ void centroid(const float* frame, int pixels, float* slopes, unsigned* sequence,
                         unsigned stamp, Weight w) {
    const int s = threadIdx.x;
    float m0 = 1e-6f, m1 = 0.0f;
    for (int p = 0; p < pixels; ++p) {
        const float v = w(frame[s * pixels + p]);
        m0 += v;
        m1 += v * float(p);
    }
    slopes[s] = m1 / m0;
    __threadfence();
    __syncthreads();
    if (s == 0) atomicExch(sequence, stamp);
}

template <class Weight>
class CentroidSensor final : public WavefrontSensor {
public:
    CentroidSensor(Geometry g, Weight w) : geometry_(g), weight_(w) {}

    void measure(const float* frame, float* slopes, unsigned* sequence, unsigned stamp,
                 cudaStream_t stream) const override {
        centroid<<<1, geometry_.subapertures, 0, stream>>>(frame, geometry_.pixels, slopes,
                                                           sequence, stamp, weight_);
        ok(cudaGetLastError());
    }

    float weight(float v) const override { return weight_(v); }
private:
    Geometry geometry_;
    Weight weight_;
};
}  // namespace

std::unique_ptr<WavefrontSensor> makeSensor(Method method, Geometry geometry) {
    if (method == Method::CentreOfGravity)
        return std::make_unique<CentroidSensor<Plain>>(geometry, Plain{});
    return std::make_unique<CentroidSensor<Floor>>(geometry, Floor{0.05f});
}
}  // namespace ao
