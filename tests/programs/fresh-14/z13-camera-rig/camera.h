#pragma once

#include "isp.h"

#include <memory>
#include <vector>

namespace rig {

// A camera owns its buffers and the stream its frames go through.
class Camera {
public:
    Camera(int id, int pixels) : id_(id)
    {
        frame_.pixels = pixels;
        require(cudaStreamCreate(&stream_));
        std::vector<std::uint16_t> sensor(pixels);
        for (int i = 0; i < pixels; ++i)
            sensor[i] = raw_value(id, i);
        std::uint16_t* raw = nullptr;
        require(cudaMalloc(&raw, pixels * sizeof(std::uint16_t)));
        require(cudaMalloc(&frame_.rgb, pixels * sizeof(std::uint32_t)));
        require(cudaMemcpy(raw, sensor.data(), pixels * sizeof(std::uint16_t), cudaMemcpyHostToDevice));
        frame_.raw = raw;
    }
    ~Camera()
    {
        cudaFree(const_cast<std::uint16_t*>(frame_.raw));
        cudaFree(frame_.rgb);
        cudaStreamDestroy(stream_);
    }
    Camera(const Camera&) = delete;
    Camera& operator=(const Camera&) = delete;

    void process(const ToneCurve& curve)
    {
        debayer(frame_, stream_);
        apply_curve(frame_, curve);
        sharpen(frame_, id_ + 1, stream_);
    }

    void wait() { require(cudaStreamSynchronize(stream_)); }

    int verify(const ToneCurve& curve) const
    {
        std::vector<std::uint32_t> got(frame_.pixels);
        require(cudaMemcpy(got.data(), frame_.rgb, got.size() * sizeof(got[0]), cudaMemcpyDeviceToHost));
        int wrong = 0;
        for (int i = 0; i < frame_.pixels; ++i) {
            std::uint32_t v = raw_value(id_, i) * 3u + (i & 3);
            v = v * curve.gain[v & 15];
            v += (id_ + 1) * (i % 5);
            wrong += got[i] != v;
        }
        return wrong;
    }

private:
    static std::uint16_t raw_value(int id, int i)
    {
        return static_cast<std::uint16_t>((i * 31 + id * 977) & 0x3fff);
    }

    int id_;
    cudaStream_t stream_ = nullptr;
    Frame frame_;
};

using CameraPtr = std::unique_ptr<Camera>;

}  // namespace rig
