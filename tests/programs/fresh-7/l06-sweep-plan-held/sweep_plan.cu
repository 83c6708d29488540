#include "sweep_plan.hpp"

namespace relax {

namespace kernel {

// One damped update; the relaxation weights decay in place.
__global__ void sweep(float* u, const float* rhs, float* w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u[i] += w[i] * rhs[i];
    w[i] *= 0.5f;
}

}  // namespace kernel

sweep_plan::sweep_plan(problem p, staging_pool& pool, cudaStream_t stream) : prob_(p)
{
    const std::size_t bytes = p.cells * sizeof(float);
    ok(cudaMalloc(&u_, bytes));
    ok(cudaMalloc(&rhs_, bytes));
    ok(cudaMalloc(&w_, bytes));
    record(pool, stream);
}

sweep_plan::~sweep_plan()
{
    cudaGraphExecDestroy(exec_);
    cudaFree(u_);
    cudaFree(rhs_);
    cudaFree(w_);
}

void sweep_plan::record(staging_pool& pool, cudaStream_t stream)
{
    const std::size_t bytes = prob_.cells * sizeof(float);
    weights_ = pool.take();
    for (int i = 0; i < prob_.cells; ++i) weights_.as<float>()[i] = weight(i);

    cudaGraph_t graph = nullptr;
    ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    ok(cudaMemcpyAsync(w_, weights_.as<float>(), bytes, cudaMemcpyHostToDevice, stream));
    ok(cudaMemsetAsync(u_, 0, bytes, stream));
    for (int k = 0; k < prob_.sweeps; ++k) {
        kernel::sweep<<<(prob_.cells + 255) / 256, 256, 0, stream>>>(u_, rhs_, w_, prob_.cells);
        ok(cudaGetLastError());
    }
    ok(cudaStreamEndCapture(stream, &graph));
    ok(cudaGraphInstantiate(&exec_, graph, 0));
    ok(cudaGraphDestroy(graph));
}

}  // namespace relax
