#pragma once
#include <cuda_runtime.h>
#include <map>
#include <memory>

namespace ranker {

#define RANKER_CALL(x) ::ranker::raise((x), #x)

struct Failure {
    cudaError_t code;
    const char* where;
};

inline void raise(cudaError_t e, const char* where) {
    if (e != cudaSuccess) throw Failure{e, where};
}

constexpr int kFeatures = 64;

// Everything that depends on the padded batch: workspace and the tile that suits it best.
struct Plan {
    int padded = 0;
    int tile = 0;
    float* items = nullptr;
    float* scores = nullptr;
    float* hostItems = nullptr;
    float* hostScores = nullptr;
    ~Plan();
};

using ScoreFn = void (*)(const float*, const float*, float*, int, cudaStream_t);

class PlanCache {
public:
    explicit PlanCache(cudaStream_t stream, const float* query) : stream_(stream), query_(query) {}
    Plan& forBatch(int batch);
    static int pad(int batch);
    static ScoreFn kernelFor(int tile);

private:
    std::unique_ptr<Plan> make(int padded);
    int chooseTile(const Plan& plan);

    cudaStream_t stream_;
    const float* query_;
    std::map<int, std::unique_ptr<Plan>> plans_;
};

}  // namespace ranker
