#include "decoder.h"

namespace {

__global__ void layerKernel(const float* w, int n, const float* in, float* out) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n) return;
    float acc = 0.0f;
    for (int c = 0; c < n; ++c) acc += w[r * n + c] * in[c];
    out[r] = fmaxf(fminf(acc, 8.0f), -8.0f);
}

}  // namespace

Decoder::Decoder(WeightStore& store, int layers) : store_(store), layers_(layers) {
    for (auto& p : act_) gpu(cudaMalloc(&p, sizeof(float) * store.width()));
    gpu(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    build();
}

Decoder::~Decoder() {
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaStreamDestroy(stream_);
    for (auto p : act_) cudaFree(p);
}

void Decoder::build() {
    const int n = store_.width();
    auto upcoming = store_.request(0);
    cudaGraph_t graph = nullptr;
    gpu(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    for (int l = 0; l < layers_; ++l) {
        TensorRef w = upcoming.get();
        if (l + 1 < layers_) upcoming = store_.request(l + 1);
        layerKernel<<<(n + 63) / 64, 64, 0, stream_>>>(w->data, n, act_[l & 1], act_[(l + 1) & 1]);
        weights_.push_back(std::move(w));
    }
    gpu(cudaStreamEndCapture(stream_, &graph));
    gpu(cudaGraphInstantiate(&exec_, graph, 0));
    gpu(cudaGraphDestroy(graph));
}

void Decoder::run(std::vector<float>& state) {
    const size_t bytes = sizeof(float) * state.size();
    gpu(cudaMemcpyAsync(act_[0], state.data(), bytes, cudaMemcpyHostToDevice, stream_));
    gpu(cudaGraphLaunch(exec_, stream_));
    gpu(cudaMemcpyAsync(state.data(), act_[layers_ & 1], bytes, cudaMemcpyDeviceToHost, stream_));
    gpu(cudaStreamSynchronize(stream_));
}
