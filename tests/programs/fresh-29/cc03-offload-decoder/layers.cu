#include "layers.h"

#include <map>

namespace model {

namespace {

__global__ void gain_kernel(float *x, const float *w)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = x[i] * w[i] + 0.125f;
}

__global__ void gate_kernel(float *x, const float *w)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float v = x[i] + w[i];
    x[i] = v > 0.f ? v : 0.1f * v;
}

struct Gain final : Layer {
    using Layer::Layer;
    void enqueue(Context &cx) const override { gain_kernel<<<kWidth / 256, 256, 0, cx.stream>>>(cx.hidden, cx.weight_slot); }
    void reference(std::vector<float> &x) const override
    {
        for (int i = 0; i < kWidth; ++i) x[i] = x[i] * w_[i] + 0.125f;
    }
};

struct Gate final : Layer {
    using Layer::Layer;
    void enqueue(Context &cx) const override { gate_kernel<<<kWidth / 256, 256, 0, cx.stream>>>(cx.hidden, cx.weight_slot); }
    void reference(std::vector<float> &x) const override
    {
        for (int i = 0; i < kWidth; ++i) {
            const float v = x[i] + w_[i];
            x[i] = v > 0.f ? v : 0.1f * v;
        }
    }
};

using Maker = std::unique_ptr<Layer> (*)(const std::vector<float> &);
template <class L> std::unique_ptr<Layer> make(const std::vector<float> &w) { return std::make_unique<L>(w); }

} // namespace

std::unique_ptr<Layer> make_layer(const std::string &kind, const std::vector<float> &w)
{
    static const std::map<std::string, Maker> registry{
        {"gain", make<Gain>}, {"gate", make<Gate>}};
    return registry.at(kind)(w);
}

} // namespace model
