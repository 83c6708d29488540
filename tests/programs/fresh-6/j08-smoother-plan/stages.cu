#include "stages.h"
#include <algorithm>

namespace {

__global__ void scaleKernel(const float *in, float *tmp, int n, float w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        tmp[i] = w * in[i];
}

__global__ void blendKernel(const float *tmp, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tmp[i] + 0.5f * tmp[(i + 1) % n];
}

__global__ void bankKernel(const float *in, float *tmp, int n, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int t = 0; t < taps; ++t)
            tmp[(size_t)t * n + i] = in[(i + t) % n];
}

__global__ void foldKernel(const float *tmp, float *out, int n, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.f;
    for (int t = 0; t < taps; ++t)
        s += tmp[(size_t)t * n + i];
    out[i] = s / (float)taps;
}

inline int blocks(int n) { return (n + 255) / 256; }

class Blend final : public Stage {
public:
    explicit Blend(float w) : w_(w) {}
    std::size_t scratchBytes(int n) const override { return sizeof(float) * n; }
    Status enqueue(const StageContext &c, const float *in, float *out) override
    {
        float *tmp = nullptr;
        PROPAGATE(c.workspace->require(scratchBytes(c.n), &tmp));
        scaleKernel<<<blocks(c.n), 256, 0, c.stream>>>(in, tmp, c.n, w_);
        blendKernel<<<blocks(c.n), 256, 0, c.stream>>>(tmp, out, c.n);
        return Status::from(cudaGetLastError());
    }
    void host(const std::vector<float> &in, std::vector<float> &out) const override
    {
        const std::size_t n = in.size();
        for (std::size_t i = 0; i < n; ++i)
            out[i] = w_ * in[i] + 0.5f * (w_ * in[(i + 1) % n]);
    }

private:
    float w_;
};

class Bank final : public Stage {
public:
    explicit Bank(int taps) : taps_(taps) {}
    std::size_t scratchBytes(int n) const override { return sizeof(float) * n * taps_; }
    Status enqueue(const StageContext &c, const float *in, float *out) override
    {
        float *tmp = nullptr;
        PROPAGATE(c.workspace->require(scratchBytes(c.n), &tmp));
        bankKernel<<<blocks(c.n), 256, 0, c.stream>>>(in, tmp, c.n, taps_);
        foldKernel<<<blocks(c.n), 256, 0, c.stream>>>(tmp, out, c.n, taps_);
        return Status::from(cudaGetLastError());
    }
    void host(const std::vector<float> &in, std::vector<float> &out) const override
    {
        const std::size_t n = in.size();
        for (std::size_t i = 0; i < n; ++i) {
            float s = 0.f;
            for (int t = 0; t < taps_; ++t)
                s += in[(i + t) % n];
            out[i] = s / (float)taps_;
        }
    }

private:
    int taps_;
};

} // namespace

std::unique_ptr<Stage> makeBlend(float weight) { return std::make_unique<Blend>(weight); }
std::unique_ptr<Stage> makeBank(int taps) { return std::make_unique<Bank>(taps); }

Plan::~Plan()
{
    if (exec_)
        cudaGraphExecDestroy(exec_);
    workspace_.reset();
}

Status Plan::record(float *ping, float *pong)
{
    StageContext ctx{stream_, &workspace_, n_};
    for (auto &s : stages_) {
        PROPAGATE(s->enqueue(ctx, ping, pong));
        std::swap(ping, pong);
    }
    result_ = ping;
    return {};
}

Status Plan::build(float *ping, float *pong)
{
    if (stages_.empty())
        return Status{Code::state, cudaSuccess};
    float *base = nullptr;
    PROPAGATE(workspace_.require(stages_.front()->scratchBytes(n_), &base));

    cudaGraph_t graph = nullptr;
    PROPAGATE_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    PROPAGATE(record(ping, pong));
    PROPAGATE_CUDA(cudaStreamEndCapture(stream_, &graph));
    PROPAGATE_CUDA(cudaGraphInstantiate(&exec_, graph, 0));
    return Status::from(cudaGraphDestroy(graph));
}

Status Plan::replay() { return Status::from(cudaGraphLaunch(exec_, stream_)); }
