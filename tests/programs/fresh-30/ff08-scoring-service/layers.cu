#include "runtime.h"
#include <algorithm>

namespace svc {
namespace {
__global__ void denseKernel(const float* weights, const float* in, float* out)
{
    const int o = threadIdx.x;
    const float* row = in + blockIdx.x * kFeatures;
    float sum = 0;
    for (int i = 0; i < kFeatures; ++i) sum += weights[o * kFeatures + i] * row[i];
    out[blockIdx.x * kFeatures + o] = sum;
}

__global__ void calibrateKernel(const float* scaleShift, const float* in, float* out)
{
    const int i = blockIdx.x * kFeatures + threadIdx.x;
    out[i] = in[i] * scaleShift[threadIdx.x] + scaleShift[kFeatures + threadIdx.x];
}

__global__ void reluKernel(const float* in, float* out)
{
    const int i = blockIdx.x * kFeatures + threadIdx.x;
    out[i] = fmaxf(in[i], 0.f);
}

class Dense : public Layer {
public:
    explicit Dense(int seed) : host_(kFeatures * kFeatures)
    {
        for (std::size_t i = 0; i < host_.size(); ++i) host_[i] = float((i * 37 + seed) % 17) / 64.f - 0.1f;
        SVC_OK(cudaMalloc(&weights_, host_.size() * sizeof(float)));
        SVC_OK(cudaMemcpy(weights_, host_.data(), host_.size() * sizeof(float), cudaMemcpyHostToDevice));
    }
    ~Dense() override { cudaFree(weights_); }
    void enqueue(Context& context, const float* in, float* out, int batch) override
    {
        denseKernel<<<batch, kFeatures, 0, context.stream>>>(weights_, in, out);
    }
    void reference(std::vector<float>& row) const override
    {
        std::vector<float> out(kFeatures, 0.f);
        for (int o = 0; o < kFeatures; ++o)
            for (int i = 0; i < kFeatures; ++i) out[o] += host_[o * kFeatures + i] * row[i];
        row = out;
    }
private:
    std::vector<float> host_;
    float* weights_ = nullptr;
};

// Per-feature calibration; operations may change the figures while the service is up.
class Calibrate : public Layer {
public:
    Calibrate() : figures_(2 * kFeatures)
    {
        for (int i = 0; i < kFeatures; ++i) {
            figures_[i] = 1.f + 0.125f * float(i % 5);
            figures_[kFeatures + i] = 0.25f * float(i % 3);
        }
        SVC_OK(cudaMalloc(&device_, figures_.size() * sizeof(float)));
    }
    ~Calibrate() override { cudaFree(device_); }
    void enqueue(Context& context, const float* in, float* out, int batch) override
    {
        float* staged = context.scratch.take<float>(figures_.size());
        std::copy(figures_.begin(), figures_.end(), staged);
        SVC_OK(cudaMemcpyAsync(device_, staged, figures_.size() * sizeof(float), cudaMemcpyHostToDevice,
                               context.stream));
        calibrateKernel<<<batch, kFeatures, 0, context.stream>>>(device_, in, out);
    }
    void reference(std::vector<float>& row) const override
    {
        for (int i = 0; i < kFeatures; ++i) row[i] = row[i] * figures_[i] + figures_[kFeatures + i];
    }
private:
    std::vector<float> figures_;
    float* device_ = nullptr;
};

class Relu : public Layer {
public:
    void enqueue(Context& context, const float* in, float* out, int batch) override
    {
        reluKernel<<<batch, kFeatures, 0, context.stream>>>(in, out);
    }
    void reference(std::vector<float>& row) const override
    {
        for (float& x : row) x = std::max(x, 0.f);
    }
};
}  // namespace

Model makeModel()
{
    Model model;
    model.push_back(std::make_unique<Dense>(3));
    model.push_back(std::make_unique<Relu>());
    model.push_back(std::make_unique<Dense>(11));
    model.push_back(std::make_unique<Calibrate>());
    return model;
}
}  // namespace svc
