#pragma once
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <cuda_runtime.h>

inline void must(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// A single-channel float image on the device with value semantics: copies share the pixels.
class Image {
public:
    Image() = default;
    Image(int width, int height) : width_(width), height_(height) {
        float* raw = nullptr;
        must(cudaMalloc(&raw, bytes()));
        pixels_ = std::shared_ptr<float>(raw, [](float* p) { cudaFree(p); });
    }

    float* data() const { return pixels_.get(); }
    int width() const { return width_; }
    int height() const { return height_; }
    int count() const { return width_ * height_; }
    std::size_t bytes() const { return sizeof(float) * count(); }

private:
    std::shared_ptr<float> pixels_;
    int width_ = 0, height_ = 0;
};
