#include "model.h"
#include <algorithm>

namespace kws {
namespace {
__global__ void dense(const float* x, const float* w, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(0.0f, x[i] * w[i]);
}

__global__ void smooth(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 0.5f * (x[i] + x[(i + 1) % n]);
}

__global__ void add(const float* a, const float* b, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a[i] + b[i];
}
}  // namespace

Model::Model(int width, Weights weights) : width_(width), weights_(weights) {
    expect(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    expect(cudaStreamCreateWithFlags(&branch_, cudaStreamNonBlocking));
    expect(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    expect(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
    expect(cudaMalloc(&input_, width_ * sizeof(float)));
    expect(cudaMalloc(&output_, width_ * sizeof(float)));
    expect(cudaMallocHost(&pinned_, width_ * sizeof(float)));
}

Model::~Model() {
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaStreamDestroy(stream_);
    cudaStreamDestroy(branch_);
    cudaEventDestroy(fork_);
    cudaEventDestroy(join_);
    cudaFree(input_);
    cudaFree(output_);
    cudaFree(workspace_);
    cudaFree(weights_.data);
    cudaFreeHost(pinned_);
}

float* Model::workspace() {
    if (!workspace_) {
        CaptureMode relaxed(cudaStreamCaptureModeRelaxed);
        expect(cudaMalloc(&workspace_, 2 * width_ * sizeof(float)));
    }
    return workspace_;
}

void Model::describe(const std::function<void()>& midway) {
    const int grid = (width_ + 127) / 128;
    const size_t bytes = width_ * sizeof(float);
    expect(cudaMemcpyAsync(input_, pinned_, bytes, cudaMemcpyHostToDevice, stream_));
    expect(cudaEventRecord(fork_, stream_));
    expect(cudaStreamWaitEvent(branch_, fork_, 0));

    float* left = workspace();
    float* right = left + width_;
    dense<<<grid, 128, 0, stream_>>>(input_, weights_.data, left, width_);
    expect(cudaGetLastError());
    midway();
    smooth<<<grid, 128, 0, branch_>>>(input_, right, width_);
    expect(cudaGetLastError());

    expect(cudaEventRecord(join_, branch_));
    expect(cudaStreamWaitEvent(stream_, join_, 0));
    add<<<grid, 128, 0, stream_>>>(left, right, output_, width_);
    expect(cudaGetLastError());
    expect(cudaMemcpyAsync(pinned_, output_, bytes, cudaMemcpyDeviceToHost, stream_));
}

void Model::compile(const std::function<void()>& midway) {
    cudaGraph_t graph = nullptr;
    expect(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    describe(midway);
    expect(cudaStreamEndCapture(stream_, &graph));
    expect(cudaGraphInstantiate(&exec_, graph, 0));
    expect(cudaGraphDestroy(graph));
}

std::vector<float> Model::score(const std::vector<float>& frame) {
    std::copy(frame.begin(), frame.end(), pinned_);
    expect(cudaGraphLaunch(exec_, stream_));
    expect(cudaStreamSynchronize(stream_));
    return std::vector<float>(pinned_, pinned_ + width_);
}
}  // namespace kws
