#pragma once
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <vector>

namespace forecast {

inline void check(cudaError_t e, const char*) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}
#define FC(x) ::forecast::check((x), #x)

struct Physics {
    float drag;
    float heating;
    int substeps;
};

struct Observations {
    float* field = nullptr;
    int cells = 0;
};

constexpr int kMembers = 3;

class Ensemble {
public:
    explicit Ensemble(int cells);
    ~Ensemble();

    void rebuild(const Physics& physics, float gain);
    void advance(int steps);
    void assimilate(const Observations& obs);
    std::vector<float> mean();
    int stepsTaken() const { return counted_; }

private:
    void enqueueStep(const Physics& physics, float gain);

    int cells_;
    int counted_ = 0;
    cudaStream_t lead_ = nullptr;
    std::array<cudaStream_t, kMembers> side_{};
    std::array<cudaEvent_t, kMembers> joined_{};
    cudaEvent_t forked_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::array<float*, kMembers> member_{};
    float* mean_ = nullptr;
    float* gain_ = nullptr;
    float* gainPinned_ = nullptr;
};

std::future<Observations> fetchObservations(int cells, int cycle);
float observedAt(int cycle, int cell);

}  // namespace forecast
