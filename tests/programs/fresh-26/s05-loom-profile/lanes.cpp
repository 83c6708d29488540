#include "executor.h"

#include <algorithm>

namespace loom {

Lanes::Lanes(int count) {
    ok(cudaEventCreateWithFlags(&head_, cudaEventDisableTiming));
    for (int i = 1; i < count; ++i) {
        own_.emplace_back();
        ok(cudaStreamCreateWithFlags(&own_.back(), cudaStreamNonBlocking));
        tails_.emplace_back();
        ok(cudaEventCreateWithFlags(&tails_.back(), cudaEventDisableTiming));
    }
}

Lanes::~Lanes() {
    for (auto e : tails_) cudaEventDestroy(e);
    for (auto s : own_) cudaStreamDestroy(s);
    cudaEventDestroy(head_);
}

void Lanes::fork(cudaStream_t from) {
    ok(cudaEventRecord(head_, from));
    for (auto s : own_) ok(cudaStreamWaitEvent(s, head_, 0));
}

void Lanes::join(cudaStream_t into) {
    for (std::size_t i = 0; i < own_.size(); ++i) {
        ok(cudaEventRecord(tails_[i], own_[i]));
        ok(cudaStreamWaitEvent(into, tails_[i], 0));
    }
}

float Profile::median_ms() const {
    if (samples_ms.empty()) return 0.0f;
    std::vector<float> sorted(samples_ms);
    std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
    return sorted[sorted.size() / 2];
}

float Profile::best_ms() const {
    return samples_ms.empty() ? 0.0f : *std::min_element(samples_ms.begin(), samples_ms.end());
}

}  // namespace loom
