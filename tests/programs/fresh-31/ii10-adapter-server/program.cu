#include "serve.h"

namespace serve {

namespace {

__global__ void start_state(float* state, int count, float* norm) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) state[i] = 1.0f;
    if (blockIdx.x == 0 && threadIdx.x == 0) *norm = 0.0f;
}

__global__ void add_layer(float* state, int batch, int hidden, const float* const* weights_slot, int layer) {
    const float* weights = *weights_slot + static_cast<long long>(layer) * hidden;
    const int count = batch * hidden;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        state[i] += weights[i % hidden] * static_cast<float>(i / hidden + 1);
}

__global__ void weight_norm(float* norm, int hidden, const float* const* weights_slot, int layers) {
    __shared__ float part[256];
    const float* weights = *weights_slot;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < hidden * layers; i += blockDim.x) sum += weights[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) *norm = part[0];
}

__global__ void add_norm(float* state, int count, const float* norm) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        state[i] += *norm;
}

}  // namespace

BatchProgram::BatchProgram(const ServerOptions& options, int batch) : options_(options), batch_(batch) {
    raise_on(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
    raise_on(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    raise_on(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    raise_on(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
    raise_on(cudaMalloc(reinterpret_cast<void**>(&weights_slot_), sizeof(float*)));
    raise_on(cudaMallocHost(reinterpret_cast<void**>(&weights_host_), sizeof(float*)));
    raise_on(cudaMalloc(reinterpret_cast<void**>(&state_), static_cast<std::size_t>(batch) * options.hidden * sizeof(float)));
    raise_on(cudaMalloc(reinterpret_cast<void**>(&norm_), sizeof(float)));
}

BatchProgram::~BatchProgram() {
    cudaStreamSynchronize(main_);
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaFree(norm_);
    cudaFree(state_);
    cudaFreeHost(weights_host_);
    cudaFree(weights_slot_);
    cudaEventDestroy(join_);
    cudaEventDestroy(fork_);
    cudaStreamDestroy(side_);
    cudaStreamDestroy(main_);
}

void BatchProgram::enqueue_layers() {
    const int count = batch_ * options_.hidden;
    start_state<<<32, 256, 0, main_>>>(state_, count, norm_);
    raise_on(cudaEventRecord(fork_, main_));
    raise_on(cudaStreamWaitEvent(side_, fork_, 0));
    weight_norm<<<1, 256, 0, side_>>>(norm_, options_.hidden, weights_slot_, options_.layers);
    raise_on(cudaEventRecord(join_, side_));
    for (int layer = 0; layer < options_.layers; ++layer)
        add_layer<<<32, 256, 0, main_>>>(state_, batch_, options_.hidden, weights_slot_, layer);
    raise_on(cudaStreamWaitEvent(main_, join_, 0));
    add_norm<<<32, 256, 0, main_>>>(state_, count, norm_);
    raise_on(cudaGetLastError());
}

void BatchProgram::warm() {
    ServerOptions blank = options_;
    Adapter adapter(0, blank);
    *weights_host_ = adapter.weights();
    raise_on(cudaMemcpyAsync(weights_slot_, weights_host_, sizeof(float*), cudaMemcpyHostToDevice, main_));
    enqueue_layers();
    raise_on(cudaStreamSynchronize(main_));
}

void BatchProgram::compile() {
    cudaGraph_t graph = nullptr;
    raise_on(cudaStreamBeginCapture(main_, cudaStreamCaptureModeThreadLocal));
    enqueue_layers();
    raise_on(cudaStreamEndCapture(main_, &graph));
    if (exec_) raise_on(cudaGraphExecDestroy(exec_));
    raise_on(cudaGraphInstantiate(&exec_, graph, 0));
    raise_on(cudaGraphDestroy(graph));
}

std::vector<float> BatchProgram::run(const Adapter& adapter, int times) {
    *weights_host_ = adapter.weights();
    raise_on(cudaMemcpyAsync(weights_slot_, weights_host_, sizeof(float*), cudaMemcpyHostToDevice, main_));
    for (int i = 0; i < times; ++i) raise_on(cudaGraphLaunch(exec_, main_));
    std::vector<float> out(static_cast<std::size_t>(batch_) * options_.hidden);
    raise_on(cudaMemcpyAsync(out.data(), state_, out.size() * sizeof(float), cudaMemcpyDeviceToHost, main_));
    raise_on(cudaStreamSynchronize(main_));
    return out;
}

}  // namespace serve
