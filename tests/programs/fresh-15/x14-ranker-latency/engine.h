#pragma once
#include <algorithm>
#include <vector>

#include "plan.h"

namespace ranker {

struct Request {
    int batch = 1;
    int seed = 0;
    float item(int i, int k) const { return static_cast<float>((i * 3 + k * 5 + seed) % 7 - 3); }
};

class Engine {
public:
    Engine() {
        RANKER_CALL(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        RANKER_CALL(cudaMalloc(&query_, sizeof(float) * kFeatures));
        std::vector<float> q(kFeatures);
        for (int k = 0; k < kFeatures; ++k) q[k] = queryAt(k);
        RANKER_CALL(cudaMemcpy(query_, q.data(), sizeof(float) * kFeatures, cudaMemcpyHostToDevice));
        plans_ = std::make_unique<PlanCache>(stream_, query_);
    }
    ~Engine() {
        plans_.reset();
        cudaFree(query_);
        cudaStreamDestroy(stream_);
    }
    Engine(const Engine&) = delete;

    static float queryAt(int k) { return static_cast<float>(k % 5 - 2); }
    cudaStream_t stream() const { return stream_; }

    std::vector<float> rank(const Request& r) {
        Plan& plan = plans_->forBatch(r.batch);
        for (int i = 0; i < r.batch; ++i)
            for (int k = 0; k < kFeatures; ++k) plan.hostItems[i * kFeatures + k] = r.item(i, k);
        RANKER_CALL(cudaMemcpyAsync(plan.items, plan.hostItems, sizeof(float) * kFeatures * r.batch,
                                    cudaMemcpyHostToDevice, stream_));
        PlanCache::kernelFor(plan.tile)(plan.items, query_, plan.scores, r.batch, stream_);
        RANKER_CALL(cudaMemcpyAsync(plan.hostScores, plan.scores, sizeof(float) * r.batch, cudaMemcpyDeviceToHost,
                                    stream_));
        RANKER_CALL(cudaStreamSynchronize(stream_));
        return std::vector<float>(plan.hostScores, plan.hostScores + r.batch);
    }

private:
    cudaStream_t stream_ = nullptr;
    float* query_ = nullptr;
    std::unique_ptr<PlanCache> plans_;
};

}  // namespace ranker
