#include "plan.h"

using namespace rank;

namespace {

int countMismatches(const ModelSpec& spec, const std::vector<int>& bids)
{
    int wrong = 0;
    for (int ad = 0; ad < spec.ads; ++ad)
        wrong += bids[ad] != spec.floorMicros + qualityOf(spec.id, ad) * spec.slopeMicros;
    return wrong;
}

}  // namespace

int main()
{
    constexpr int kAds = 1 << 14;
    constexpr int kAuctions = 5;
    const std::vector<ModelSpec> catalogue = {
        {0, kAds, 1000, 7}, {1, kAds, 2500, 11}, {2, kAds / 2, 400, 29}};

    Workspace workspace;
    RANK_CUDA(cudaMalloc(reinterpret_cast<void**>(&workspace.quality), kAds * sizeof(int)));
    RANK_CUDA(cudaMalloc(reinterpret_cast<void**>(&workspace.prices), kBuckets * sizeof(int)));
    int* bids = nullptr;
    RANK_CUDA(cudaMalloc(reinterpret_cast<void**>(&bids), catalogue.size() * kAds * sizeof(int)));
    RANK_CUDA(cudaMemset(bids, 0, catalogue.size() * kAds * sizeof(int)));
    RANK_CUDA(cudaDeviceSynchronize());

    int wrong = 0;
    {
        PlanBuilder builder(workspace);
        std::vector<Plan> plans;
        for (const ModelSpec& spec : catalogue)
            plans.push_back(builder.build(spec, bids + spec.id * kAds));

        cudaStream_t serving = nullptr;
        RANK_CUDA(cudaStreamCreateWithFlags(&serving, cudaStreamNonBlocking));
        for (int auction = 0; auction < kAuctions; ++auction)
            for (const Plan& plan : plans) plan.launch(serving);
        RANK_CUDA(cudaStreamSynchronize(serving));

        for (const Plan& plan : plans) {
            std::vector<int> host(plan.spec.ads);
            RANK_CUDA(cudaMemcpy(host.data(), bids + plan.spec.id * kAds,
                                 host.size() * sizeof(int), cudaMemcpyDeviceToHost));
            wrong += countMismatches(plan.spec, host);
        }
        RANK_CUDA(cudaStreamDestroy(serving));
    }
    cudaFree(bids);
    cudaFree(workspace.prices);
    cudaFree(workspace.quality);

    std::printf(wrong ? "WRONG %d\n" : "DONE\n", wrong);
    return wrong != 0;
}
