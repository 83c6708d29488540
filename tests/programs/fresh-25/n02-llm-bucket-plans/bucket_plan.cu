#include "bucket_plan.h"

namespace llm {

namespace {

__global__ void projectRows(const float* in, const float* bias, float* out, int hidden, int rows) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (column >= hidden || row >= rows) return;
    out[row * hidden + column] = in[row * hidden + column] * 0.5f + bias[column];
}

class CaptureScope {
public:
    explicit CaptureScope(cudaStream_t stream) : stream_(stream) {
        check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    }
    cudaGraph_t finish() {
        cudaGraph_t graph = nullptr;
        check(cudaStreamEndCapture(stream_, &graph));
        return graph;
    }

private:
    cudaStream_t stream_;
};

}  // namespace

PlanCache::PlanCache(const ModelConfig& config, cudaStream_t stream)
    : config_(config), stream_(stream) {
    for (int bucket : config_.buckets) plans_.emplace(bucket, build(bucket));
}

std::unique_ptr<BucketPlan> PlanCache::build(int bucket) {
    const int hidden = config_.hidden;
    const std::size_t cells = static_cast<std::size_t>(bucket) * hidden;

    auto plan = std::make_unique<BucketPlan>();
    plan->bucket = bucket;
    plan->bias = makePinned<float>(hidden);
    plan->input = makePinned<float>(cells);
    plan->output = makePinned<float>(cells);
    plan->dInput = makeDevice<float>(cells);
    plan->dBias = makeDevice<float>(hidden);
    plan->dOutput = makeDevice<float>(cells);

    for (int c = 0; c < hidden; ++c) plan->bias[c] = biasValue(bucket, c);

    CaptureScope capture(stream_);
    check(cudaMemcpyAsync(plan->dBias.get(), plan->bias.get(), hidden * sizeof(float),
                          cudaMemcpyHostToDevice, stream_));
    check(cudaMemcpyAsync(plan->dInput.get(), plan->input.get(), cells * sizeof(float),
                          cudaMemcpyHostToDevice, stream_));
    dim3 block(128), grid((hidden + 127) / 128, bucket);
    projectRows<<<grid, block, 0, stream_>>>(plan->dInput.get(), plan->dBias.get(),
                                             plan->dOutput.get(), hidden, bucket);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(plan->output.get(), plan->dOutput.get(), cells * sizeof(float),
                          cudaMemcpyDeviceToHost, stream_));
    cudaGraph_t graph = capture.finish();
    check(cudaGraphInstantiate(&plan->exec, graph, 0));
    check(cudaGraphDestroy(graph));
    return plan;
}

BucketPlan& PlanCache::select(int rows) {
    auto it = plans_.lower_bound(rows);
    if (it == plans_.end()) throw std::out_of_range("no bucket for batch");
    return *it->second;
}

}  // namespace llm
