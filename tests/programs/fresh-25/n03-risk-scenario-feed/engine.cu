#include "engine.h"

namespace risk {

namespace {

__device__ unsigned long long deviceNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Walks the portfolio for one scenario per thread.
__global__ void priceScenarios(const int* shocks, long long* losses, int count,
                               unsigned long long budgetNs) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long end = deviceNs() + budgetNs;
    while (deviceNs() < end) {
    }
    if (i < count) losses[i] = 3ll * shocks[i] + 11;
}

}  // namespace

StagingRing::StagingRing(std::size_t count) {
    for (Slot& slot : slots_) {
        RISK_CUDA(cudaMallocHost(reinterpret_cast<void**>(&slot.host), count * sizeof(int)));
    }
}

StagingRing::~StagingRing() {
    for (Slot& slot : slots_) cudaFreeHost(slot.host);
}

StagingRing::Slot& StagingRing::acquire(int batch) {
    Slot& slot = slots_[batch % slots_.size()];
    if (slot.used) slot.reusable.wait();
    slot.used = true;
    return slot;
}

PricingEngine::PricingEngine(const EngineConfig& config)
    : config_(config),
      ring_(config.scenarios),
      input_(config.scenarios),
      losses_(static_cast<std::size_t>(config.scenarios) * config.batches) {
    RISK_CUDA(cudaMemsetAsync(input_.get(), 0, input_.bytes(), compute_));
    priceScenarios<<<1, 128, 0, compute_>>>(input_.get(), losses_.get(), 0, 0);
    RISK_CUDA(cudaGetLastError());
    compute_.drain();
}

void PricingEngine::upload(StagingRing::Slot& slot) {
    slot.reusable.mark(copy_);
    copy_.after(inputFree_);
    RISK_CUDA(cudaMemcpyAsync(input_.get(), slot.host, input_.bytes(), cudaMemcpyHostToDevice, copy_));
    uploaded_.mark(copy_);
}

void PricingEngine::price(int batch) {
    compute_.after(uploaded_);
    long long* out = losses_.get() + static_cast<std::size_t>(batch) * config_.scenarios;
    int blocks = (config_.scenarios + 127) / 128;
    priceScenarios<<<blocks, 128, 0, compute_>>>(input_.get(), out, config_.scenarios,
                                                 config_.pricingNs);
    RISK_CUDA(cudaGetLastError());
    inputFree_.mark(compute_);
}

std::vector<long long> PricingEngine::run(ScenarioSource& source) {
    for (int batch = 0; batch < config_.batches; ++batch) {
        StagingRing::Slot& slot = ring_.acquire(batch);
        source.fill(batch, slot.host, config_.scenarios);
        upload(slot);
        price(batch);
    }
    compute_.drain();
    copy_.drain();
    std::vector<long long> result(static_cast<std::size_t>(config_.scenarios) * config_.batches);
    RISK_CUDA(cudaMemcpy(result.data(), losses_.get(), losses_.bytes(), cudaMemcpyDeviceToHost));
    return result;
}

}  // namespace risk
