#include "stage.h"

namespace {

__global__ void scale_ticks(feed::tick_batch b, float factor)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < b.count) b.out[i] = b.price[i] * factor;
}

__global__ void clamp_ticks(feed::tick_batch b, float lo, float hi)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < b.count) b.out[i] = fminf(fmaxf(b.out[i], lo), hi);
}

int blocks_for(const feed::tick_batch& b) { return (b.count + 255) / 256 + (b.count == 0); }

class scale_stage final : public feed::stage {
public:
    const char* name() const override { return "scale"; }

    cudaError_t enqueue(const feed::tick_batch& b, cudaStream_t stream) override
    {
        scale_ticks<<<blocks_for(b), 256, 0, stream>>>(b, 0.25f);
        return cudaGetLastError();
    }
};

class clamp_stage final : public feed::stage {
public:
    const char* name() const override { return "clamp"; }

    cudaError_t enqueue(const feed::tick_batch& b, cudaStream_t stream) override
    {
        clamp_ticks<<<blocks_for(b), 256, 0, stream>>>(b, 10.0f, 60.0f);
        return cudaGetLastError();
    }
};

FEED_REGISTER_STAGE("scale", scale_stage);
FEED_REGISTER_STAGE("clamp", clamp_stage);

}  // namespace
