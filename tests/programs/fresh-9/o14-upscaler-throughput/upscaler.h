#pragma once
#include "executor.h"

namespace sr {

struct TileShape {
    int width = 96, height = 64, factor = 2;
    int outPixels() const { return width * height * factor * factor; }
};

class Upscaler {
public:
    Upscaler(int tiles, TileShape shape);
    ~Upscaler();
    Upscaler(const Upscaler&) = delete;

    int enqueue(int tile, cudaStream_t s) const;
    int mismatches() const;
    int tiles() const { return tiles_; }
    int pixels() const { return tiles_ * shape_.outPixels(); }

private:
    int tiles_;
    TileShape shape_;
    unsigned char* in_ = nullptr;
    unsigned char* out_ = nullptr;
};

}  // namespace sr
