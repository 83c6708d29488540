#include "filter_plan.h"
#include <algorithm>
#include <stdexcept>

namespace dsp {
namespace {

constexpr std::size_t kMaxTaps = 32;
constexpr std::size_t kMaxStages = 8;

__global__ void fir(const float* in, float* out, int n, const float* taps, int count)
{
    __shared__ float t[kMaxTaps];
    if (threadIdx.x < count) t[threadIdx.x] = taps[threadIdx.x];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float acc = 0.0f;
        for (int k = 0; k < count; ++k)
            if (i >= k) acc += t[k] * in[i - k];
        out[i] = acc;
    }
}

}  // namespace

FilterPlan::FilterPlan(StagingPool& staging, std::size_t block) : staging_(staging), block_(block)
{
    GPU(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (float*& b : buffers_) GPU(cudaMalloc(&b, block * sizeof(float)));
    GPU(cudaMalloc(&tables_, kMaxStages * kMaxTaps * sizeof(float)));
}

FilterPlan::~FilterPlan()
{
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaFree(tables_);
    for (float* b : buffers_) cudaFree(b);
    cudaStreamDestroy(stream_);
}

FilterPlan& FilterPlan::begin()
{
    GPU(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed));
    return *this;
}

FilterPlan& FilterPlan::stage(const std::vector<float>& taps)
{
    if (stages_ == kMaxStages || taps.size() > kMaxTaps) throw std::length_error("filter cascade");
    float* table = tables_ + stages_ * kMaxTaps;

    auto lease = staging_.acquire();
    std::copy(taps.begin(), taps.end(), lease.data());
    GPU(cudaMemcpyAsync(table, lease.data(), taps.size() * sizeof(float), cudaMemcpyHostToDevice, stream_));

    const float* in = signal();
    ++stages_;
    fir<<<64, 256, 0, stream_>>>(in, signal(), static_cast<int>(block_), table, static_cast<int>(taps.size()));
    GPU(cudaGetLastError());
    return *this;
}

FilterPlan& FilterPlan::finish()
{
    cudaGraph_t graph = nullptr;
    GPU(cudaStreamEndCapture(stream_, &graph));
    GPU(cudaGraphInstantiate(&exec_, graph, 0));
    GPU(cudaGraphDestroy(graph));
    return *this;
}

void FilterPlan::run(std::vector<float>& samples)
{
    auto lease = staging_.acquire();
    const std::size_t bytes = samples.size() * sizeof(float);
    std::copy(samples.begin(), samples.end(), lease.data());
    GPU(cudaMemcpyAsync(buffers_[0], lease.data(), bytes, cudaMemcpyHostToDevice, stream_));
    GPU(cudaGraphLaunch(exec_, stream_));
    GPU(cudaMemcpyAsync(lease.data(), signal(), bytes, cudaMemcpyDeviceToHost, stream_));
    GPU(cudaStreamSynchronize(stream_));
    std::copy(lease.data(), lease.data() + samples.size(), samples.begin());
}

}  // namespace dsp
