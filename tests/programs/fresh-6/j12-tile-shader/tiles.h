#pragma once
#include "allocator.h"

struct TileJob {
    const unsigned char *src;
    int *dst;
    int pixels;
    int quality;
};

class TileEncoder {
public:
    explicit TileEncoder(DeviceAllocator &alloc) : alloc_(alloc) {}
    void encode(const TileJob &job, cudaStream_t stream);

private:
    DeviceAllocator &alloc_;
};
