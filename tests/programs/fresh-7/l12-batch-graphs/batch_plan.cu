#include "batch_plan.hpp"

namespace {

__global__ void project(const int* x, const int* w, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * w[i % BatchPlan::kFeatures];
}

__global__ void gate(const int* x, int* g, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long begin = clock64();
    while (clock64() - begin < 4000000) {
    }
    if (i < n) g[i] = (x[i] & 1) ? 1 : 2;
}

__global__ void combine(const int* y, const int* g, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = y[i] * g[i];
}

}  // namespace

bool BatchPlan::supported() {
    for (auto kernel : {reinterpret_cast<const void*>(&project), reinterpret_cast<const void*>(&gate),
                        reinterpret_cast<const void*>(&combine)}) {
        cudaFuncAttributes a{};
        rt::require(cudaFuncGetAttributes(&a, kernel));
        if (a.maxThreadsPerBlock < kBlock) return false;
    }
    return true;
}

BatchPlan::BatchPlan(int batch, const int* weights)
    : batch_(batch), in_(size_t(batch) * kFeatures), out_(size_t(batch) * kFeatures) {
    record(weights);
}

void BatchPlan::record(const int* weights) {
    const int n = batch_ * kFeatures;
    const unsigned grid = (n + kBlock - 1) / kBlock;
    auto forked = rt::makeEvent();
    auto joined = rt::makeEvent();
    cudaGraph_t graph = nullptr;

    rt::require(cudaStreamBeginCapture(main_.get(), cudaStreamCaptureModeThreadLocal));
    int* x = arena_.make<int>(n);
    rt::require(cudaMemcpyAsync(x, in_.data(), in_.bytes(), cudaMemcpyHostToDevice, main_.get()));

    rt::require(cudaEventRecord(forked.get(), main_.get()));
    rt::require(cudaStreamWaitEvent(side_.get(), forked.get(), 0));
    int* g = arena_.make<int>(n);
    gate<<<grid, kBlock, 0, side_.get()>>>(x, g, n);
    rt::require(cudaGetLastError());
    rt::require(cudaEventRecord(joined.get(), side_.get()));

    int* y = arena_.make<int>(n);
    project<<<grid, kBlock, 0, main_.get()>>>(x, weights, y, n);
    rt::require(cudaGetLastError());
    rt::require(cudaStreamWaitEvent(main_.get(), joined.get(), 0));
    combine<<<grid, kBlock, 0, main_.get()>>>(y, g, y, n);
    rt::require(cudaGetLastError());
    rt::require(cudaMemcpyAsync(out_.data(), y, out_.bytes(), cudaMemcpyDeviceToHost, main_.get()));
    rt::require(cudaStreamEndCapture(main_.get(), &graph));

    cudaGraphExec_t exec = nullptr;
    rt::require(cudaGraphInstantiate(&exec, graph, 0));
    exec_.reset(exec);
    rt::require(cudaGraphDestroy(graph));
}

const int* BatchPlan::run() {
    rt::require(cudaGraphLaunch(exec_.get(), main_.get()));
    rt::require(cudaStreamSynchronize(main_.get()));
    return out_.data();
}
