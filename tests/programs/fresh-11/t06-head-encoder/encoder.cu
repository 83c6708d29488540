#include "encoder.cuh"

namespace nn {
namespace {

__global__ void project(const uint32_t* x, uint32_t* h, int n, uint32_t weight)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        h[i] = x[i] * weight + (i % 7);
}

__global__ void merge(uint32_t* const* heads, int count, uint32_t* y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint32_t v = 0;
        for (int h = 0; h < count; ++h) v ^= heads[h][i];
        y[i] = v;
    }
}

__global__ void accumulate(const uint32_t* y, int n, unsigned long long* sum)
{
    unsigned long long s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += y[i];
    atomicAdd(sum, s);
}

}  // namespace

ActivationMeter::ActivationMeter() : sum_(1) {}

void ActivationMeter::sample(const uint32_t* values, int n, cudaStream_t producer)
{
    produced_.record(producer);
    produced_.hold(lane_.stream);
    accumulate<<<16, 256, 0, lane_.stream>>>(values, n, sum_.data);
    ok(cudaGetLastError());
}

unsigned long long ActivationMeter::total()
{
    unsigned long long host = 0;
    ok(cudaStreamSynchronize(lane_.stream));
    ok(cudaMemcpy(&host, sum_.data, sizeof host, cudaMemcpyDeviceToHost));
    return host;
}

Encoder::Encoder(int n, int heads, int lanes) : n_(n), table_(heads)
{
    std::vector<uint32_t*> pointers;
    for (int h = 0; h < heads; ++h) {
        heads_.push_back(std::make_unique<DeviceArray<uint32_t>>(n));
        pointers.push_back(heads_.back()->data);
    }
    ok(cudaMemcpy(table_.data, pointers.data(), heads * sizeof(uint32_t*), cudaMemcpyHostToDevice));
    for (int l = 0; l < lanes; ++l) lanes_.push_back(std::make_unique<Lane>());
    ok(cudaDeviceSynchronize());
}

void Encoder::forward(const uint32_t* x, uint32_t* y, cudaStream_t stream)
{
    entered_.record(stream);
    for (auto& lane : lanes_) entered_.hold(lane->stream);
    for (std::size_t h = 0; h < heads_.size(); ++h) {
        project<<<16, 256, 0, lanes_[h % lanes_.size()]->stream>>>(x, heads_[h]->data, n_, 2 * uint32_t(h) + 3);
        ok(cudaGetLastError());
    }
    for (auto& lane : lanes_) {
        lane->done.record(lane->stream);
        lane->done.hold(stream);
    }
    merge<<<16, 256, 0, stream>>>(table_.data, static_cast<int>(heads_.size()), y, n_);
    ok(cudaGetLastError());
    if (observer_) observer_->sample(y, n_, stream);
}

}  // namespace nn
