#include "plan.h"

#include <chrono>

namespace ranker {

namespace {

template <int Tile>
__global__ void scoreItems(const float* items, const float* query, float* scores, int n) {
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    const int i = blockIdx.x * Tile + threadIdx.x;
    if (i < n) {
        float acc = 0.0f;
        for (int k = 0; k < kFeatures; ++k) acc += items[i * kFeatures + k] * query[k];
        scores[i] = acc;
    }
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t1));
    } while (t1 - t0 < 10ull * 1000 * 1000);
}

template <int Tile>
void score(const float* items, const float* query, float* scores, int n, cudaStream_t s) {
    scoreItems<Tile><<<(n + Tile - 1) / Tile, Tile, 0, s>>>(items, query, scores, n);
    RANKER_CALL(cudaGetLastError());
}

constexpr int kTiles[] = {32, 64, 128, 256};

}  // namespace

Plan::~Plan() {
    cudaFree(items);
    cudaFree(scores);
    cudaFreeHost(hostItems);
    cudaFreeHost(hostScores);
}

int PlanCache::pad(int batch) {
    int p = 16;
    while (p < batch) p *= 2;
    return p;
}

ScoreFn PlanCache::kernelFor(int tile) {
    switch (tile) {
        case 32: return &score<32>;
        case 64: return &score<64>;
        case 128: return &score<128>;
        default: return &score<256>;
    }
}

Plan& PlanCache::forBatch(int batch) {
    const int padded = pad(batch);
    auto& entry = plans_[padded];
    if (!entry) entry = make(padded);
    return *entry;
}

std::unique_ptr<Plan> PlanCache::make(int padded) {
    auto plan = std::make_unique<Plan>();
    plan->padded = padded;
    RANKER_CALL(cudaMalloc(&plan->items, sizeof(float) * kFeatures * padded));
    RANKER_CALL(cudaMalloc(&plan->scores, sizeof(float) * padded));
    RANKER_CALL(cudaMallocHost(&plan->hostItems, sizeof(float) * kFeatures * padded));
    RANKER_CALL(cudaMallocHost(&plan->hostScores, sizeof(float) * padded));
    RANKER_CALL(cudaMemsetAsync(plan->items, 0, sizeof(float) * kFeatures * padded, stream_));
    plan->tile = chooseTile(*plan);
    return plan;
}

int PlanCache::chooseTile(const Plan& plan) {
    using Clock = std::chrono::steady_clock;
    int best = kTiles[0];
    auto bestTime = Clock::duration::max();
    for (int tile : kTiles) {
        const ScoreFn fn = kernelFor(tile);
        fn(plan.items, query_, plan.scores, plan.padded, stream_);
        RANKER_CALL(cudaStreamSynchronize(stream_));
        const auto t0 = Clock::now();
        for (int rep = 0; rep < 2; ++rep) fn(plan.items, query_, plan.scores, plan.padded, stream_);
        RANKER_CALL(cudaStreamSynchronize(stream_));
        const auto took = Clock::now() - t0;
        if (took < bestTime) {
            bestTime = took;
            best = tile;
        }
    }
    return best;
}

}  // namespace ranker
