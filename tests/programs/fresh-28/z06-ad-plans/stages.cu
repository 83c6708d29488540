#include "stage.h"

namespace rank {
namespace {

__global__ void scoreQuality(int model, int ads, int* quality)
{
    const int ad = blockIdx.x * blockDim.x + threadIdx.x;
    if (ad < ads) quality[ad] = qualityOf(model, ad);
}

__global__ void priceBids(const int* quality, const int* prices, int ads, int* bids)
{
    const int ad = blockIdx.x * blockDim.x + threadIdx.x;
    if (ad < ads) bids[ad] = prices[quality[ad]];
}

int blocksFor(int n) { return (n + 255) / 256; }

class QualityStage final : public Stage {
public:
    explicit QualityStage(const ModelSpec& spec) : spec_(spec) {}
    void record(RecordContext& ctx) override
    {
        scoreQuality<<<blocksFor(spec_.ads), 256, 0, ctx.stream>>>(spec_.id, spec_.ads,
                                                                   ctx.workspace.quality);
        RANK_CUDA(cudaGetLastError());
    }

private:
    ModelSpec spec_;
};

class PricingStage final : public Stage {
public:
    PricingStage(const ModelSpec& spec, int* bids) : spec_(spec), bids_(bids) {}
    void record(RecordContext& ctx) override
    {
        int* table = ctx.arena.take<int>(kBuckets);
        for (int b = 0; b < kBuckets; ++b) table[b] = spec_.floorMicros + b * spec_.slopeMicros;
        RANK_CUDA(cudaMemcpyAsync(ctx.workspace.prices, table, kBuckets * sizeof(int),
                                  cudaMemcpyHostToDevice, ctx.stream));
        priceBids<<<blocksFor(spec_.ads), 256, 0, ctx.stream>>>(
            ctx.workspace.quality, ctx.workspace.prices, spec_.ads, bids_);
        RANK_CUDA(cudaGetLastError());
    }

private:
    ModelSpec spec_;
    int* bids_;
};

}  // namespace

StageList makeStages(const ModelSpec& spec, int* bids)
{
    StageList stages;
    stages.push_back(std::make_unique<QualityStage>(spec));
    stages.push_back(std::make_unique<PricingStage>(spec, bids));
    return stages;
}

}  // namespace rank
