#include "decoder.h"

namespace lm {

namespace {

constexpr int kBlock = 256;
int gridFor(int n) { return (n + kBlock - 1) / kBlock; }

__global__ void attend(const std::uint32_t* h, std::uint32_t* out, const std::uint32_t* token, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = attention(h[i], *token);
}

__global__ void gate(const std::uint32_t* h, std::uint32_t* out, StepShape shape)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < shape.batch * kWidth) out[i] = gating(h[i], shape.salt);
}

__global__ void combine(std::uint32_t* h, const std::uint32_t* a, const std::uint32_t* g, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) h[i] = a[i] ^ g[i];
}

__global__ void nextToken(std::uint32_t* token) { ++*token; }

__global__ void addShard(std::uint32_t* h, const std::uint32_t* shard, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) h[i] += shard[i % kWidth];
}

}  // namespace

Decoder::Decoder(int maxBatch)
    : maxBatch_(maxBatch),
      hidden_(deviceArray<std::uint32_t>(size_t(maxBatch) * kWidth)),
      token_(deviceArray<std::uint32_t>(1))
{
    for (auto* s : {&main_, &gate_}) expect(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
    for (auto* e : {&fork_, &join_}) expect(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
}

Decoder::~Decoder()
{
    cudaStreamSynchronize(main_);
    if (exec_) cudaGraphExecDestroy(exec_);
    for (cudaEvent_t e : {fork_, join_}) cudaEventDestroy(e);
    for (cudaStream_t s : {gate_, main_}) cudaStreamDestroy(s);
}

void Decoder::reset()
{
    expect(cudaMemsetAsync(hidden_.get(), 1, size_t(maxBatch_) * kWidth * sizeof(std::uint32_t), main_));
    expect(cudaMemsetAsync(token_.get(), 0, sizeof(std::uint32_t), main_));
}

void Decoder::enqueueStep(StepShape shape)
{
    const int n = shape.batch * kWidth;
    arena_.rewind();

    expect(cudaEventRecord(fork_, main_));
    expect(cudaStreamWaitEvent(gate_, fork_, 0));
    auto* g = arena_.take<std::uint32_t>(n);
    gate<<<gridFor(n), kBlock, 0, gate_>>>(hidden_.get(), g, shape);
    expect(cudaEventRecord(join_, gate_));

    auto* a = arena_.take<std::uint32_t>(n);
    attend<<<gridFor(n), kBlock, 0, main_>>>(hidden_.get(), a, token_.get(), n);
    expect(cudaStreamWaitEvent(main_, join_, 0));
    combine<<<gridFor(n), kBlock, 0, main_>>>(hidden_.get(), a, g, n);
    nextToken<<<1, 1, 0, main_>>>(token_.get());
    expect(cudaGetLastError());
}

void Decoder::warmUp(int batch)
{
    reset();
    enqueueStep(StepShape{batch, 0u});
    expect(cudaStreamSynchronize(main_));
}

void Decoder::record(int batch)
{
    const StepShape shape{batch, 0x9e3779b9u};
    cudaGraph_t graph = nullptr;
    expect(cudaStreamBeginCapture(main_, cudaStreamCaptureModeThreadLocal));
    enqueueStep(shape);
    expect(cudaStreamEndCapture(main_, &graph));
    expect(cudaGraphInstantiate(&exec_, graph, 0));
    expect(cudaGraphDestroy(graph));
    batch_ = batch;
}

void Decoder::decode(int tokens)
{
    reset();
    for (int t = 0; t < tokens; ++t) expect(cudaGraphLaunch(exec_, main_));
}

std::vector<std::uint32_t> Decoder::project(const std::vector<DeviceArray<std::uint32_t>>& shards)
{
    const int n = batch_ * kWidth;
    for (const auto& s : shards) {
        addShard<<<gridFor(n), kBlock, 0, main_>>>(hidden_.get(), s.get(), n);
        expect(cudaGetLastError());
    }
    std::vector<std::uint32_t> out(n);
    expect(cudaMemcpyAsync(out.data(), hidden_.get(), n * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, main_));
    expect(cudaStreamSynchronize(main_));
    return out;
}

}  // namespace lm
