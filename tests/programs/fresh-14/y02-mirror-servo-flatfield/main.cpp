#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>
#include "check.h"
#include "control_loop.h"
#include "sensor.h"
namespace {
// Simulated camera: a spot that wanders over each subaperture.
class Camera {
public:
    Camera(ao::Geometry g, int frames) : geometry_(g) {
        ao::ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        ao::ok(cudaMallocHost(&host_, g.frameSize() * frames * sizeof(float)));
        ao::ok(cudaMallocHost(&flat_, g.frameSize() * sizeof(float)));
        ao::ok(cudaMalloc(&device_, g.frameSize() * sizeof(float)));
        std::fill(flat_, flat_ + g.frameSize(), 1.0f);
        for (int f = 0; f < frames; ++f)
            for (int s = 0; s < g.subapertures; ++s)
                for (int p = 0; p < g.pixels; ++p) {
                    const float centre = 32.0f + 6.0f * std::sin(0.3f * f + 0.11f * s);
                    const float d = (p - centre) / 5.0f;
                    frame(f)[s * g.pixels + p] = std::exp(-d * d);
                }
    }
    ~Camera() {
        cudaStreamDestroy(stream_);
        cudaFreeHost(host_);
        cudaFreeHost(flat_);
        cudaFree(device_);
    }

    float* frame(int f) { return host_ + geometry_.frameSize() * f; }
    cudaStream_t stream() const { return stream_; }

    const float* transfer(int f) { return send(frame(f)); }
    const float* transferFlat() { return send(flat_); }
private:
    const float* send(const float* pixels) {
        ao::ok(cudaMemcpyAsync(device_, pixels, geometry_.frameSize() * sizeof(float),
                               cudaMemcpyHostToDevice, stream_));
        return device_;
    }
    ao::Geometry geometry_;
    cudaStream_t stream_ = nullptr;
    float* host_ = nullptr;
    float* flat_ = nullptr;
    float* device_ = nullptr;
};

// Reference slopes come from the flat frame of the calibration lamp.
void takeReference(Camera& camera, const ao::WavefrontSensor& sensor, ao::ControlLoop& loop) {
    unsigned* count = nullptr;
    ao::ok(cudaMalloc(&count, sizeof(unsigned)));
    sensor.measure(camera.transferFlat(), loop.reference(), count, 1u, camera.stream());
    ao::ok(cudaStreamSynchronize(camera.stream()));
    ao::ok(cudaFree(count));
}
int compare(Camera& camera, const ao::WavefrontSensor& sensor, ao::Geometry g, int frames,
            float gain, float leak, float centre, const std::vector<float>& mirror) {
    int wrong = 0;
    for (int s = 0; s < g.subapertures; ++s) {
        double command = 0.0;
        for (int f = 0; f < frames; ++f) {
            double m0 = 1e-6, m1 = 0.0;
            for (int p = 0; p < g.pixels; ++p) {
                const double v = sensor.weight(camera.frame(f)[s * g.pixels + p]);
                m0 += v;
                m1 += v * p;
            }
            command = leak * command + gain * (m1 / m0 - centre);
        }
        if (!(std::fabs(command - mirror[s]) < 1e-2)) ++wrong;
    }
    return wrong;
}
}  // namespace

int main() {
    const ao::Geometry geometry;
    const int frames = 40;
    const float gain = 0.4f, leak = 0.97f;
    const float centre = 0.5f * (geometry.pixels - 1);

    Camera camera(geometry, frames);
    ao::ControlLoop loop(geometry, frames, gain, leak);
    auto sensor = ao::makeSensor(ao::Method::Thresholded, geometry);

    takeReference(camera, *sensor, loop);
    loop.arm();
    for (int f = 0; f < frames; ++f) {
        const float* pixels = camera.transfer(f);
        sensor->measure(pixels, loop.slopes(f), loop.sequence(), unsigned(f + 1), camera.stream());
    }
    const std::vector<float> mirror = loop.finish();
    const int wrong = compare(camera, *sensor, geometry, frames, gain, leak, centre, mirror);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
