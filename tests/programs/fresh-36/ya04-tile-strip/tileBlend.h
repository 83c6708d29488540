#ifndef TILE_BLEND_H_
#define TILE_BLEND_H_

#include <cuda_runtime.h>

struct TileShape {
    int width;
    int height;
    int count() const { return width * height; }
    size_t bytes() const { return sizeof(float) * width * height; }
};

struct BlendParams {
    float amount;   // strength of the unsharp mask
    int workMicros; // per-tile budget of the iterative weighting
};

void launchBlurRows(float *blurred, const float *image, TileShape shape, cudaStream_t stream);
void launchUnsharp(float *result, const float *image, const float *blurred, TileShape shape,
                   BlendParams params, cudaStream_t stream);

// CPU reference, in tileBlend_gold.cpp
void unsharpGold(float *result, const float *image, TileShape shape, float amount);
int compareTile(const float *result, const float *reference, TileShape shape, float tolerance);

#endif
