#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

namespace rec {

inline void must(cudaError_t st)
{
    if (st != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(st));
        std::exit(2);
    }
}

struct Launch {
    int bucket;
    int threads;
    float* scratch;
};

// Scores candidate items for a batch of users.
class Ranker {
public:
    Ranker(int items, cudaStream_t stream);
    ~Ranker();
    Ranker(const Ranker&) = delete;
    Ranker& operator=(const Ranker&) = delete;

    void score(int batch);
    std::vector<float> scores(int batch) const;
    int items() const { return items_; }
    static constexpr int max_batch() { return 256; }

private:
    const Launch& launch_for(int batch);
    Launch choose(int bucket);
    void issue(const Launch& l, int batch);

    int items_;
    cudaStream_t stream_;
    float* out_ = nullptr;
    std::map<int, Launch> launches_;
};

} // namespace rec
