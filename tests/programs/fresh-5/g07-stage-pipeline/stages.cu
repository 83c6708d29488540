#include "pipeline.h"

namespace pipe {

namespace {

constexpr int kThreads = 256;

__global__ void box3(const float* in, float* out, int w, int h) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= w * h) return;
    const int x = i % w, y = i / w;
    const int l = x > 0 ? x - 1 : 0, r = x + 1 < w ? x + 1 : w - 1;
    out[i] = in[y * w + l] + in[i] + in[y * w + r];
}

__global__ void block_peak(const float* in, float* peaks, int n) {
    __shared__ float part[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0.f;
    __syncthreads();
    for (int s = kThreads / 2; s; s >>= 1) {
        if (threadIdx.x < s) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0) peaks[blockIdx.x] = part[0];
}

__global__ void stretch(const float* in, const float* peaks, int npeaks, float* out, int n) {
    __shared__ float top;
    if (threadIdx.x == 0) {
        float m = 0.f;
        for (int k = 0; k < npeaks; ++k) m = fmaxf(m, peaks[k]);
        top = m;
    }
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = top - in[i];
}

class BoxStage final : public Stage {
public:
    std::string name() const override { return "box"; }
    void enqueue(Extent e, const float* in, float* out, cudaStream_t stream) override {
        const int n = int(e.pixels());
        box3<<<(n + kThreads - 1) / kThreads, kThreads, 0, stream>>>(in, out, e.width, e.height);
        check(cudaGetLastError());
    }
};

class NegativeStage final : public Stage {
public:
    std::string name() const override { return "negative"; }
    void enqueue(Extent e, const float* in, float* out, cudaStream_t stream) override {
        const int n = int(e.pixels());
        const int blocks = (n + kThreads - 1) / kThreads;
        float* peaks = peaks_.fit(blocks);
        block_peak<<<blocks, kThreads, 0, stream>>>(in, peaks, n);
        stretch<<<blocks, kThreads, 0, stream>>>(in, peaks, blocks, out, n);
        check(cudaGetLastError());
    }

private:
    Workspace peaks_;
};

}  // namespace

std::unique_ptr<Stage> make_stage(const std::string& name) {
    if (name == "box") return std::make_unique<BoxStage>();
    if (name == "negative") return std::make_unique<NegativeStage>();
    throw std::invalid_argument("unknown stage " + name);
}

Pipeline::Pipeline() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }

Pipeline::~Pipeline() {
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaStreamDestroy(stream_);
}

void Pipeline::enqueue_all(Extent e, const float* in, float* tmp, float* out) {
    const float* src = in;
    for (std::size_t k = 0; k < stages_.size(); ++k) {
        float* dst = (stages_.size() - 1 - k) % 2 == 0 ? out : tmp;
        stages_[k]->enqueue(e, src, dst, stream_);
        src = dst;
    }
}

void Pipeline::run(Extent e, const float* in, float* tmp, float* out) { enqueue_all(e, in, tmp, out); }

void Pipeline::compile(Extent e, const float* in, float* tmp, float* out) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    enqueue_all(e, in, tmp, out);
    check(cudaStreamEndCapture(stream_, &graph));
    check(cudaGraphInstantiate(&exec_, graph, 0));
    check(cudaGraphDestroy(graph));
}

void Pipeline::replay() { check(cudaGraphLaunch(exec_, stream_)); }

}  // namespace pipe
