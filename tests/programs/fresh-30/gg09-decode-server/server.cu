#include "server.h"

namespace serve {
namespace {

constexpr int kThreads = 256;

__global__ void embed_tokens(const int* tokens, int* x, int batch) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= batch * kHidden) return;
    x[i] = embed(tokens[i / kHidden], i % kHidden);
}

__global__ void apply_layer(const int* x, const int* w, int* y, int batch, int layer) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= batch * kHidden) return;
    y[i] = neuron(x[i], w[(i + layer) % kHidden], layer);
}

__global__ void head(const int* x, unsigned long long* logits, int batch) {
    __shared__ unsigned long long sum;
    if (static_cast<int>(blockIdx.x) >= batch) return;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    unsigned long long mine = 0;
    for (int i = static_cast<int>(threadIdx.x); i < kHidden; i += kThreads) {
        mine += static_cast<unsigned long long>(x[static_cast<int>(blockIdx.x) * kHidden + i]) * static_cast<unsigned>(1 + i % 7);
    }
    atomicAdd(&sum, mine);
    __syncthreads();
    if (threadIdx.x == 0) logits[blockIdx.x] = sum;
}

int grid(int batch) { return (batch * kHidden + kThreads - 1) / kThreads; }

}  // namespace

void start_engine() {
    Stream s;
    embed_tokens<<<1, kThreads, 0, s>>>(nullptr, nullptr, 0);
    verify(cudaGetLastError());
    apply_layer<<<1, kThreads, 0, s>>>(nullptr, nullptr, nullptr, 0, 0);
    verify(cudaGetLastError());
    head<<<1, kThreads, 0, s>>>(nullptr, nullptr, 0);
    verify(cudaGetLastError());
    verify(cudaStreamSynchronize(s));
}

void Program::forward(const WeightStore& weights) {
    const size_t n = static_cast<size_t>(batch_) * kHidden;
    verify(cudaMemcpyAsync(device_tokens_, tokens_, static_cast<size_t>(batch_) * sizeof(int), cudaMemcpyHostToDevice,
                           stream_));
    int* x = workspace_.carve<int>(n);
    embed_tokens<<<grid(batch_), kThreads, 0, stream_>>>(device_tokens_, x, batch_);
    verify(cudaGetLastError());
    for (int l = 0; l < kLayers; ++l) {
        int* y = workspace_.carve<int>(n);
        apply_layer<<<grid(batch_), kThreads, 0, stream_>>>(x, weights.layer(l), y, batch_, l);
        verify(cudaGetLastError());
        x = y;
    }
    head<<<batch_, kThreads, 0, stream_>>>(x, device_logits_, batch_);
    verify(cudaGetLastError());
    verify(cudaMemcpyAsync(logits_, device_logits_, static_cast<size_t>(batch_) * sizeof(unsigned long long),
                           cudaMemcpyDeviceToHost, stream_));
}

Program::Program(int batch, const WeightStore& weights) : batch_(batch) {
    verify(cudaMallocHost(reinterpret_cast<void**>(&tokens_), kMaxBatch * sizeof(int)));
    verify(cudaMallocHost(reinterpret_cast<void**>(&logits_), kMaxBatch * sizeof(unsigned long long)));
    verify(cudaMalloc(reinterpret_cast<void**>(&device_tokens_), kMaxBatch * sizeof(int)));
    verify(cudaMalloc(reinterpret_cast<void**>(&device_logits_), kMaxBatch * sizeof(unsigned long long)));

    cudaGraph_t graph = nullptr;
    verify(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    forward(weights);
    verify(cudaStreamEndCapture(stream_, &graph));
    const cudaError_t e = cudaGraphInstantiate(&exec_, graph, 0);
    cudaGraphDestroy(graph);
    verify(e);
}

Program::~Program() {
    cudaStreamSynchronize(stream_);
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaFree(device_tokens_);
    cudaFree(device_logits_);
    cudaFreeHost(tokens_);
    cudaFreeHost(logits_);
}

std::vector<unsigned long long> Program::infer(const std::vector<int>& tokens) {
    for (size_t i = 0; i < tokens.size(); ++i) tokens_[i] = tokens[i];
    verify(cudaGraphLaunch(exec_, stream_));
    verify(cudaStreamSynchronize(stream_));
    return std::vector<unsigned long long>(logits_, logits_ + tokens.size());
}

}  // namespace serve
