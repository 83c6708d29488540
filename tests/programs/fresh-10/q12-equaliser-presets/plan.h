#pragma once
#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <string>
#include "pinned_pool.h"

namespace eq {

constexpr int kBins = 1 << 16;

using Curve = std::function<float(int)>;

// An equaliser preset, compiled once into a graph and run for every spectrum.
class Plan {
public:
    static std::unique_ptr<Plan> compile(std::string name, const Curve& curve, PinnedPool& pool, float* in, float* out,
                                         cudaStream_t stream);
    ~Plan();

    void run(cudaStream_t stream);
    int runs() const { return runs_; }
    const std::string& name() const { return name_; }

private:
    Plan(std::string name, PinnedPool::Block curve);
    static void CUDART_CB countRun(void* plan);

    std::string name_;
    int runs_ = 0;
    PinnedPool::Block curve_;
    float* gains_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace eq
