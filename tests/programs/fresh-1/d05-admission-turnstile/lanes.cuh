#pragma once
#include <vector>

#include "turnstile.h"

namespace admit {

// One request lane: a stream, its activations and a pinned answer.
class Lane {
public:
    explicit Lane(int n);
    ~Lane();
    Lane(const Lane&) = delete;

    void load(const std::vector<float>& host);
    void score(float scale);
    void score_from(const Lane& upstream, float scale);
    void fetch();
    void finish() { rt(cudaStreamSynchronize(stream_)); }
    cudaStream_t stream() const { return stream_; }
    float answer(int i) const { return pinned_[i]; }

private:
    int n_;
    cudaStream_t stream_ = nullptr;
    float* act_ = nullptr;
    float* pinned_ = nullptr;
};

}  // namespace admit
