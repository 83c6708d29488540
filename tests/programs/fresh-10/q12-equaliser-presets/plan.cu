#include "plan.h"

#include <utility>

namespace eq {

namespace {

__global__ void shape(const float* in, const float* gains, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kBins) out[i] = in[i] * gains[i];
}

}  // namespace

Plan::Plan(std::string name, PinnedPool::Block curve) : name_(std::move(name)), curve_(std::move(curve)) {
    verify(cudaMalloc(&gains_, kBins * sizeof(float)));
}

Plan::~Plan() {
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaFree(gains_);
}

void CUDART_CB Plan::countRun(void* plan) { ++static_cast<Plan*>(plan)->runs_; }

std::unique_ptr<Plan> Plan::compile(std::string name, const Curve& curve, PinnedPool& pool, float* in, float* out,
                                    cudaStream_t stream) {
    std::unique_ptr<Plan> plan(new Plan(std::move(name), pool.take()));
    float* gains = plan->curve_.get();
    for (int bin = 0; bin < kBins; ++bin) gains[bin] = curve(bin);

    cudaGraph_t graph = nullptr;
    verify(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    verify(cudaMemcpyAsync(plan->gains_, gains, kBins * sizeof(float), cudaMemcpyHostToDevice, stream));
    shape<<<kBins / 256, 256, 0, stream>>>(in, plan->gains_, out);
    verify(cudaGetLastError());
    verify(cudaLaunchHostFunc(stream, &Plan::countRun, plan.get()));
    verify(cudaStreamEndCapture(stream, &graph));
    verify(cudaGraphInstantiate(&plan->exec_, graph, 0));
    verify(cudaGraphDestroy(graph));
    return plan;
}

void Plan::run(cudaStream_t stream) { verify(cudaGraphLaunch(exec_, stream)); }

}  // namespace eq
