#include "aligner.h"

namespace gx {

namespace {

__device__ unsigned long long tick() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void bandedAlign(int* scores, int batch, int reads, unsigned long long ns) {
    unsigned long long end = tick() + ns;
    while (tick() < end) {
    }
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < reads; r += gridDim.x * blockDim.x) {
        scores[r] = batch * 31 + (r * 5) % 113;
    }
}

class BandedAligner final : public Aligner {
public:
    BandedAligner(const AlignerConfig& config, RunCounters& counters)
        : config_(config), counters_(counters), lanes_(config.lanes) {
        must(cudaMalloc(reinterpret_cast<void**>(&scores_), bytes()));
        must(cudaMemset(scores_, 0xff, bytes()));
        bandedAlign<<<8, 128, 0, lanes_.lane(0)>>>(scores_, 0, 0, 0);
        must(cudaGetLastError());
        counters_.submitted(0);
        must(cudaDeviceSynchronize());
    }
    ~BandedAligner() override { cudaFree(scores_); }

    void enqueue(int batch) override {
        int* slice = scores_ + static_cast<std::size_t>(batch) * config_.reads;
        bandedAlign<<<8, 128, 0, lanes_.lane(batch)>>>(slice, batch, config_.reads,
                                                       config_.alignNs);
        must(cudaGetLastError());
        counters_.submitted(config_.reads);
    }

    void finish() override { lanes_.drain(); }

    std::vector<int> scores() const override {
        std::vector<int> host(bytes() / sizeof(int));
        must(cudaMemcpy(host.data(), scores_, bytes(), cudaMemcpyDeviceToHost));
        return host;
    }

private:
    std::size_t bytes() const {
        return static_cast<std::size_t>(config_.batches) * config_.reads * sizeof(int);
    }

    AlignerConfig config_;
    RunCounters& counters_;
    LanePool lanes_;
    int* scores_ = nullptr;
};

}  // namespace

std::unique_ptr<Aligner> makeBandedAligner(const AlignerConfig& config, RunCounters& counters) {
    return std::make_unique<BandedAligner>(config, counters);
}

}  // namespace gx
