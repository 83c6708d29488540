#include "stages.h"

#include <cstring>

namespace isp {
namespace {

constexpr int kThreads = 256;

__global__ void linearize(const std::uint16_t* raw, float* luma, std::size_t count, float black, float gain) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::size_t(gridDim.x) * blockDim.x)
        luma[i] = fmaxf(0.0f, (raw[i] - black) * gain);
}

__global__ void meter(const float* luma, std::size_t count, float clip, Metering* metering) {
    unsigned long long total = 0;
    unsigned clipped = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::size_t(gridDim.x) * blockDim.x) {
        total += static_cast<unsigned long long>(luma[i]);
        clipped += luma[i] >= clip ? 1u : 0u;
    }
    atomicAdd(&metering->total, total);
    atomicAdd(&metering->clipped, clipped);
}

class UploadStage final : public Stage {
public:
    UploadStage(const FrameQueue& queue, const FrameGeometry& geometry)
        : queue_(queue), bytes_(geometry.pixels() * sizeof(std::uint16_t)) {
        gpu(cudaMallocHost(reinterpret_cast<void**>(&staging_), bytes_));
    }
    ~UploadStage() override { cudaFreeHost(staging_); }

    void enqueue(Workspace& work, cudaStream_t stream) override {
        gpu(cudaLaunchHostFunc(stream, &UploadStage::fetch, this));
        gpu(cudaMemcpyAsync(work.raw, staging_, bytes_, cudaMemcpyHostToDevice, stream));
    }

private:
    static void CUDART_CB fetch(void* stage) {
        auto* self = static_cast<UploadStage*>(stage);
        self->queue_.visit([self](const Frame& frame) {
            std::memcpy(self->staging_, frame.raw.data(), self->bytes_);
        });
    }

    const FrameQueue& queue_;
    std::size_t bytes_;
    std::uint16_t* staging_ = nullptr;
};

class LinearizeStage final : public Stage {
public:
    LinearizeStage(float black, float gain) : black_(black), gain_(gain) {}
    void enqueue(Workspace& work, cudaStream_t stream) override {
        linearize<<<128, kThreads, 0, stream>>>(work.raw, work.luma, work.geometry.pixels(), black_, gain_);
        gpu(cudaGetLastError());
    }

private:
    float black_, gain_;
};

class MeteringStage final : public Stage {
public:
    MeteringStage(float clip, Metering* host) : clip_(clip), host_(host) {}
    void enqueue(Workspace& work, cudaStream_t stream) override {
        gpu(cudaMemsetAsync(work.metering, 0, sizeof(Metering), stream));
        meter<<<128, kThreads, 0, stream>>>(work.luma, work.geometry.pixels(), clip_, work.metering);
        gpu(cudaGetLastError());
        gpu(cudaMemcpyAsync(host_, work.metering, sizeof(Metering), cudaMemcpyDeviceToHost, stream));
    }

private:
    float clip_;
    Metering* host_;
};

}  // namespace

Workspace::Workspace(const FrameGeometry& g) : geometry(g) {
    gpu(cudaMalloc(reinterpret_cast<void**>(&raw), g.pixels() * sizeof(std::uint16_t)));
    gpu(cudaMalloc(reinterpret_cast<void**>(&luma), g.pixels() * sizeof(float)));
    gpu(cudaMalloc(reinterpret_cast<void**>(&metering), sizeof(Metering)));
}

Workspace::~Workspace() {
    cudaFree(raw);
    cudaFree(luma);
    cudaFree(metering);
}

Pipeline::Pipeline(FrameQueue& queue, FrameGeometry geometry) : queue_(queue), work_(geometry) {
    gpu(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    gpu(cudaMallocHost(reinterpret_cast<void**>(&result_), sizeof(Metering)));
    stages_.push_back(std::make_unique<UploadStage>(queue_, geometry));
    stages_.push_back(std::make_unique<LinearizeStage>(64.0f, 1.0f));
    stages_.push_back(std::make_unique<MeteringStage>(3800.0f, result_));
}

Pipeline::~Pipeline() {
    cudaStreamSynchronize(stream_);
    if (exec_) cudaGraphExecDestroy(exec_);
    stages_.clear();
    cudaFreeHost(result_);
    cudaStreamDestroy(stream_);
}

void Pipeline::build() {
    cudaGraph_t graph = nullptr;
    gpu(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (const auto& stage : stages_) stage->enqueue(work_, stream_);
    gpu(cudaStreamEndCapture(stream_, &graph));
    const cudaError_t status = cudaGraphInstantiate(&exec_, graph, 0);
    cudaGraphDestroy(graph);
    gpu(status);
}

Metering Pipeline::process() {
    if (!exec_) build();
    gpu(cudaGraphLaunch(exec_, stream_));
    gpu(cudaStreamSynchronize(stream_));
    Metering metering = *result_;
    metering.sequence = queue_.sequence();
    queue_.pop();
    return metering;
}

}  // namespace isp
