#include "stage.h"

namespace {

__global__ void histogram(const unsigned char* px, int n, int* bins) {
    __shared__ int local[kBins];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[px[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void cumulate(const int* bins, int* cdf) {
    __shared__ int s[kBins];
    s[threadIdx.x] = bins[threadIdx.x];
    __syncthreads();
    for (int d = 1; d < kBins; d <<= 1) {
        const int add = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
        __syncthreads();
        s[threadIdx.x] += add;
        __syncthreads();
    }
    cdf[threadIdx.x] = s[threadIdx.x];
}

class Reset final : public Stage {
public:
    Reset(const FrameBuffers& fb, cudaStream_t stream) : fb_(fb), stream_(stream) {}
    void enqueue(cudaStream_t) override { GPU(cudaMemsetAsync(fb_.bins, 0, kBins * sizeof(int), stream_)); }

private:
    FrameBuffers fb_;
    cudaStream_t stream_;
};

class Histogram final : public Stage {
public:
    explicit Histogram(const FrameBuffers& fb) : fb_(fb) {}
    void enqueue(cudaStream_t s) override {
        histogram<<<32, kBins, 0, s>>>(fb_.pixels, fb_.count, fb_.bins);
        GPU(cudaGetLastError());
    }

private:
    FrameBuffers fb_;
};

class Cumulate final : public Stage {
public:
    explicit Cumulate(const FrameBuffers& fb) : fb_(fb) {}
    void enqueue(cudaStream_t s) override {
        cumulate<<<1, kBins, 0, s>>>(fb_.bins, fb_.result);
        GPU(cudaGetLastError());
    }

private:
    FrameBuffers fb_;
};

}  // namespace

std::unique_ptr<Stage> make_reset(const FrameBuffers& fb, cudaStream_t stream) {
    return std::make_unique<Reset>(fb, stream);
}
std::unique_ptr<Stage> make_histogram(const FrameBuffers& fb) { return std::make_unique<Histogram>(fb); }
std::unique_ptr<Stage> make_cumulate(const FrameBuffers& fb) { return std::make_unique<Cumulate>(fb); }

StageGraph& StageGraph::add(std::unique_ptr<Stage> s) {
    stages_.push_back(std::move(s));
    return *this;
}

void StageGraph::record(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    GPU(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (auto& s : stages_) s->enqueue(stream);
    GPU(cudaStreamEndCapture(stream, &graph));
    GPU(cudaGraphInstantiate(&exec_, graph, 0));
    GPU(cudaGraphDestroy(graph));
}

void StageGraph::replay(cudaStream_t stream) const { GPU(cudaGraphLaunch(exec_, stream)); }

StageGraph::~StageGraph() {
    if (exec_) cudaGraphExecDestroy(exec_);
}
