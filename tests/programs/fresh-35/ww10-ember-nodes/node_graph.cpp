#include "node_graph.hpp"

namespace taskgraph {

Upload Builder::upload(const After& after, void* target, const void* source, std::size_t bytes)
{
    Upload up{nullptr, target, bytes};
    require(cudaGraphAddMemcpyNode1D(&up.node, graph_, after.data(), after.size(), target, source,
                                     bytes, cudaMemcpyHostToDevice));
    return up;
}

Node Builder::zero(const After& after, void* target, std::size_t bytes)
{
    cudaMemsetParams p{};
    p.dst = target;
    p.value = 0;
    p.elementSize = 1;
    p.width = bytes;
    p.height = 1;
    Node node;
    require(cudaGraphAddMemsetNode(&node, graph_, after.data(), after.size(), &p));
    return node;
}

Node Builder::launch(const After& after, void* fn, dim3 grid, dim3 block, void** args)
{
    cudaKernelNodeParams p{};
    p.func = fn;
    p.gridDim = grid;
    p.blockDim = block;
    p.kernelParams = args;
    Node node;
    require(cudaGraphAddKernelNode(&node, graph_, after.data(), after.size(), &p));
    return node;
}

void Executor::rebind(const Upload& up, const void* source)
{
    require(cudaGraphExecMemcpyNodeSetParams1D(exec_, up.node, up.target, source, up.bytes,
                                               cudaMemcpyHostToDevice));
}

void Executor::run(cudaStream_t stream) { require(cudaGraphLaunch(exec_, stream)); }

}  // namespace taskgraph
