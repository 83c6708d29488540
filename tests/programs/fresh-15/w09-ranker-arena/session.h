#pragma once
#include <vector>

#include "arena.h"

struct RankerShape {
    int features = 128;
    int items = 512;
};

struct Blend {
    float weight;
    float bias;
};

class RankSession {
public:
    RankSession(const RankerShape& shape, unsigned model);
    ~RankSession();

    void prepare();
    std::vector<float> rank(const std::vector<float>& request);
    static Blend blendOf(unsigned model, int feature);

private:
    void enqueueScoring(const Blend* blend);
    void fillBlend(Blend* dst) const;

    RankerShape shape_;
    unsigned model_;
    HostArena arena_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    Blend* blend_ = nullptr;
    float* request_ = nullptr;
    float* mixed_ = nullptr;
    float* scores_ = nullptr;
};
