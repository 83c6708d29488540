#include "plan.cuh"

namespace infer {

__global__ void affine(const float* in, float* out, const Params* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * p->scale[i % 64] + p->bias[i % 64];
}

Plan::Plan(ParamPool& pool, const PlanConfig& cfg)
    : cfg_(cfg), block_(pool.borrow()), in_(cfg.batch * 64), out_(cfg.batch * 64), params_(1) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    record();
}

Plan::~Plan() {
    cudaGraphExecDestroy(exec_);
    cudaStreamDestroy(stream_);
}

void Plan::record() {
    for (int i = 0; i < 64; ++i) {
        block_->scale[i] = cfg_.scale + 0.5f * i;
        block_->bias[i] = cfg_.bias - i;
    }

    const int n = cfg_.batch * 64;
    cudaGraph_t graph{};
    must(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    must(cudaMemcpyAsync(params_.get(), block_.get(), sizeof(Params), cudaMemcpyHostToDevice, stream_));
    affine<<<(n + 127) / 128, 128, 0, stream_>>>(in_.get(), out_.get(), params_.get(), n);
    must(cudaGetLastError());
    must(cudaStreamEndCapture(stream_, &graph));
    must(cudaGraphInstantiate(&exec_, graph, 0));
    must(cudaGraphDestroy(graph));
}

std::vector<float> Plan::infer(const std::vector<float>& input) {
    std::vector<float> result(cfg_.batch * 64);
    must(cudaMemcpyAsync(in_.get(), input.data(), in_.bytes(), cudaMemcpyHostToDevice, stream_));
    must(cudaGraphLaunch(exec_, stream_));
    must(cudaMemcpyAsync(result.data(), out_.get(), out_.bytes(), cudaMemcpyDeviceToHost, stream_));
    must(cudaStreamSynchronize(stream_));
    return result;
}

}  // namespace infer
