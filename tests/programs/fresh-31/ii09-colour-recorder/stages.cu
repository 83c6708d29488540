#include "stage.h"

#include <functional>
#include <utility>

namespace grade {

namespace {

__host__ __device__ inline int table_index(float value) {
    int at = static_cast<int>(value * (kTable - 1));
    return at < 0 ? 0 : (at >= kTable ? kTable - 1 : at);
}

__global__ void look_up(const float* in, float* out, int pixels, const float* table) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
        out[i] = table[table_index(in[i])];
}

__global__ void scale_and_lift(const float* in, float* out, int pixels, const float* terms) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
        out[i] = fminf(1.0f, in[i] * terms[0] + terms[1]);
}

class TableStage final : public Stage {
public:
    explicit TableStage(std::function<float(float)> curve) : curve_(std::move(curve)) {
        expect(cudaMalloc(reinterpret_cast<void**>(&table_), kTable * sizeof(float)));
    }
    ~TableStage() override { cudaFree(table_); }

    void enqueue(const RenderContext& context, const float* in, float* out, int pixels) override {
        float* samples = context.scratch->claim<float>(kTable);
        for (int i = 0; i < kTable; ++i) samples[i] = entry(i);
        expect(cudaMemcpyAsync(table_, samples, kTable * sizeof(float), cudaMemcpyHostToDevice, context.stream));
        look_up<<<64, 256, 0, context.stream>>>(in, out, pixels, table_);
        expect(cudaGetLastError());
        context.retire();
    }
    float apply(float value) const override { return entry(table_index(value)); }

private:
    float entry(int i) const { return curve_(static_cast<float>(i) / (kTable - 1)); }

    std::function<float(float)> curve_;
    float* table_ = nullptr;
};

class GainStage final : public Stage {
public:
    GainStage(float gain, float lift) : gain_(gain), lift_(lift) {
        expect(cudaMalloc(reinterpret_cast<void**>(&terms_), 2 * sizeof(float)));
    }
    ~GainStage() override { cudaFree(terms_); }

    void enqueue(const RenderContext& context, const float* in, float* out, int pixels) override {
        float* terms = context.scratch->claim<float>(2);
        terms[0] = gain_;
        terms[1] = lift_;
        expect(cudaMemcpyAsync(terms_, terms, 2 * sizeof(float), cudaMemcpyHostToDevice, context.stream));
        scale_and_lift<<<64, 256, 0, context.stream>>>(in, out, pixels, terms_);
        expect(cudaGetLastError());
        context.retire();
    }
    float apply(float value) const override {
        const float scaled = value * gain_ + lift_;
        return scaled < 1.0f ? scaled : 1.0f;
    }

private:
    float gain_;
    float lift_;
    float* terms_ = nullptr;
};

}  // namespace

std::vector<std::unique_ptr<Stage>> make_look(const LookConfig& config) {
    std::vector<std::unique_ptr<Stage>> stages;
    stages.push_back(std::make_unique<GainStage>(config.exposure, config.lift));
    const float contrast = config.contrast;
    stages.push_back(std::make_unique<TableStage>([contrast](float x) { return x * x * (3.0f - 2.0f * x) * contrast; }));
    stages.push_back(std::make_unique<TableStage>([](float x) { return 0.25f + 0.5f * x; }));
    return stages;
}

}  // namespace grade
