#include "plan.h"

#include "cuda_error.h"

namespace serve {
namespace {

__global__ void layer_kernel(int* act, const int* w, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        act[i] = max(0, act[i] + w[i]) % 100003;
}

}  // namespace

Plan::Plan(WeightStore& store, std::vector<int> layers) : store_(store), layers_(std::move(layers))
{
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaMalloc(&act_, store_.width() * sizeof(int)));
}

Plan::~Plan()
{
    if (exec_)
        cudaGraphExecDestroy(exec_);
    cudaFree(act_);
    cudaStreamDestroy(stream_);
}

void Plan::compile()
{
    const int n = store_.width();
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (int layer : layers_) {
        const int* w = store_.fetch(layer).get();
        layer_kernel<<<(n + 255) / 256, 256, 0, stream_>>>(act_, w, n);
        check(cudaGetLastError());
    }
    check(cudaStreamEndCapture(stream_, &graph));
    check(cudaGraphInstantiate(&exec_, graph, 0));
    check(cudaGraphDestroy(graph));
}

std::vector<int> Plan::infer(const std::vector<int>& request)
{
    std::vector<int> answer(request.size());
    const size_t bytes = request.size() * sizeof(int);
    check(cudaMemcpyAsync(act_, request.data(), bytes, cudaMemcpyHostToDevice, stream_));
    check(cudaGraphLaunch(exec_, stream_));
    check(cudaMemcpyAsync(answer.data(), act_, bytes, cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    return answer;
}

}  // namespace serve
