#include "operators.cuh"

namespace mosaic {

// Tile t is blended as soon as its warped pixels have been published.
__global__ void blend_tiles(const float* warped, float* out, unsigned* ready, float weight) {
    const int tile = blockIdx.x;
    if (threadIdx.x == 0) {
        while (atomicAdd(&ready[tile], 0u) == 0u) __nanosleep(200);
        __threadfence();
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kTilePixels; i += blockDim.x) {
        const int at = tile * kTilePixels + i;
        out[at] = weight * __ldcg(&warped[at]);
    }
}

namespace {
class Blend final : public Operator {
public:
    explicit Blend(float weight) : weight_(weight) {}
    std::string name() const override { return "blend"; }
    void launch(Canvas& c, cudaStream_t s) override {
        blend_tiles<<<kTiles, 128, 0, s>>>(c.warped, c.blended, c.ready, weight_);
        must(cudaGetLastError());
    }

private:
    float weight_;
};
}  // namespace

std::unique_ptr<Operator> make_blend(float weight) { return std::make_unique<Blend>(weight); }

}  // namespace mosaic
