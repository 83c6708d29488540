#pragma once
#include <cuda_runtime.h>
#include <future>
#include <memory>
#include <vector>

namespace rerank {

constexpr int kPassages = 4096;

struct Query {
    int seed = 0;
    int* tokens = nullptr;   // page-locked, kPassages
    int* scores = nullptr;   // page-locked, kPassages
    int* deviceTokens = nullptr;
    int* deviceLogits = nullptr;
    int* deviceScores = nullptr;
    cudaEvent_t embedded = nullptr;
    std::promise<std::vector<int>> answer;

    explicit Query(int seed);
    ~Query();
};

// Two stages on two streams: passages are embedded on one, calibrated and returned on the other.
class Engine {
public:
    Engine();
    ~Engine();

    std::future<std::vector<int>> ask(int seed);
    void flush();

private:
    static void CUDART_CB fulfil(void* query);

    cudaStream_t embed_ = nullptr;
    cudaStream_t calibrate_ = nullptr;
    std::vector<std::unique_ptr<Query>> queries_;
};

}  // namespace rerank
