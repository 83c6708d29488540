#pragma once
#include "api.h"
#include <vector>

namespace replay {

// Builds a linear graph of kernel nodes.
class ChainBuilder {
public:
    ChainBuilder() { demand(cuGraphCreate(&graph_, 0)); }
    ~ChainBuilder() { cuGraphDestroy(graph_); }
    ChainBuilder(const ChainBuilder&) = delete;
    ChainBuilder& operator=(const ChainBuilder&) = delete;

    template <class... Args>
    ChainBuilder& kernel(CUfunction fn, unsigned blocks, unsigned threads, Args... args) {
        void* argv[] = {static_cast<void*>(&args)...};
        CUDA_KERNEL_NODE_PARAMS p{};
        p.func = fn;
        p.gridDimX = blocks;
        p.gridDimY = p.gridDimZ = 1;
        p.blockDimX = threads;
        p.blockDimY = p.blockDimZ = 1;
        p.kernelParams = argv;
        CUgraphNode node{};
        demand(cuGraphAddKernelNode(&node, graph_, last_ ? &last_ : nullptr, last_ ? 1 : 0, &p));
        last_ = node;
        return *this;
    }

    CUgraphExec build() const {
        CUgraphExec exec{};
        demand(cuGraphInstantiate(&exec, graph_, 0));
        return exec;
    }

private:
    CUgraph graph_{};
    CUgraphNode last_{};
};

}  // namespace replay
