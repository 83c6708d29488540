#pragma once

#include "caching_allocator.h"

enum
{
    TRACES = 256,
    SAMPLES = 8192,
    IMAGE_CELLS = 4096
};

/// Migrates shots: spreads the traces of one shot over a travel-time volume and stacks it into an image.
class Migration
{
public:
    Migration(CachingAllocator &allocator, int shots);
    ~Migration();

    /// Enqueues one shot. The volume is needed only while the shot is being worked on.
    void Shot(int shot, cudaStream_t stream);

    long CountWrong() const;

private:
    CachingAllocator &allocator_;
    int shots_;
    unsigned *d_images_;
};

void Check(cudaError_t error);
