#pragma once

#include <vector>

#include "vt/runtime.h"

namespace vt {

struct Format {
    int width = 320;
    int height = 180;
    int frames = 40;
    __host__ __device__ int pixels() const { return width * height; }
    __host__ __device__ int out_width() const { return width / 2; }
    __host__ __device__ int out_height() const { return height / 2; }
    __host__ __device__ int out_pixels() const { return out_width() * out_height(); }
};

// Halves a frame and blends it with the previous halved frame.
void scale_and_denoise(const Format& f, const uint8_t* in, const uint8_t* previous, uint8_t* out, cudaStream_t s);

// Differences against the left neighbour.
void predict(const Format& f, const uint8_t* in, uint8_t* out, cudaStream_t s);

void render_source(const Format& f, int index, uint8_t* out);
void transcode_on_host(const Format& f, const uint8_t* in, std::vector<uint8_t>& state, std::vector<uint8_t>& out);

}  // namespace vt
