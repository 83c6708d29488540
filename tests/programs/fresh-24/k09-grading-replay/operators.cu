#include "levels_table.h"
#include "plugin.h"

namespace grade {
namespace {
__global__ void lookUp(unsigned char* pixels, int count, const unsigned char* entries) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) pixels[i] = entries[pixels[i]];
}

__global__ void lift(unsigned char* pixels, int count, int amount) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) pixels[i] = (unsigned char)min(max((int)pixels[i] + amount, 0), 255);
}

class Levels final : public GradePlugin {
public:
    void attach(const Host& host) override { table_ = std::make_unique<LevelsTable>(host); }
    void enqueue(const FrameView& f, cudaStream_t stream) override {
        table_->refresh(f);
        lookUp<<<(f.count + 255) / 256, 256, 0, stream>>>(f.pixels, f.count, table_->entries());
        GR_CUDA(cudaGetLastError());
    }
private:
    std::unique_ptr<LevelsTable> table_;
};

class Lift final : public GradePlugin {
public:
    void attach(const Host&) override {}
    void setAmount(int amount) override { amount_ = amount; }
    void enqueue(const FrameView& f, cudaStream_t stream) override {
        lift<<<(f.count + 255) / 256, 256, 0, stream>>>(f.pixels, f.count, amount_);
        GR_CUDA(cudaGetLastError());
    }
private:
    int amount_ = 0;
};

const bool kLevels =
    PluginRegistry::instance().add("levels", [] { return std::make_unique<Levels>(); });
const bool kLift = PluginRegistry::instance().add("lift", [] { return std::make_unique<Lift>(); });
}  // namespace
}  // namespace grade
