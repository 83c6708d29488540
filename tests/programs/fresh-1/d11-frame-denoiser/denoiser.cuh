#pragma once
#include "device_vector.h"

namespace frames {

// Two-pass temporal denoiser; one instance per stream of frames.
class Denoiser {
public:
    explicit Denoiser(size_t pixels);
    ~Denoiser();
    Denoiser(const Denoiser&) = delete;

    void process(int frame);
    void finish() { EXPECT(cudaStreamSynchronize(stream_)); }
    PinnedVector<float>& input() { return in_; }
    PinnedVector<float>& output() { return out_; }

private:
    size_t pixels_;
    cudaStream_t stream_ = nullptr;
    PinnedVector<float> in_, out_;
    DeviceVector<float> frame_;
};

}  // namespace frames
