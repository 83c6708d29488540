#pragma once
#include "gpu.h"

namespace ads {

constexpr int kCandidates = 1 << 16;

struct Request {
    int id;
    int user_bias;
};

// A candidate list travels from stage to stage; whoever holds it last drops it.
struct Candidates {
    Request request;
    PoolInts features;
    cudaEvent_t ready;
};

struct IScorer {
    virtual ~IScorer() = default;
    virtual void score(Candidates c, long long* slot) = 0;
};

class Retriever {
public:
    Retriever();
    ~Retriever();
    Candidates retrieve(const Request& r);

private:
    cudaStream_t stream_{};
    std::unique_ptr<Arena> arena_;
};

class SumScorer final : public IScorer {
public:
    SumScorer();
    ~SumScorer() override;
    void score(Candidates c, long long* slot) override;
    void drain() { Check::ok(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t stream_{};
};

}  // namespace ads
