#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <vector>

#include "scratch.h"

namespace grade {

constexpr int kTable = 256;

enum class Pass { immediate, recording };

struct RenderContext {
    cudaStream_t stream = nullptr;
    Scratch* scratch = nullptr;
    Pass pass = Pass::immediate;

    // Ends the turn of one stage.
    void retire() const {
        if (pass == Pass::immediate) expect(cudaStreamSynchronize(stream));
        scratch->rewind();
    }
};

class Stage {
public:
    virtual ~Stage() = default;
    virtual void enqueue(const RenderContext& context, const float* in, float* out, int pixels) = 0;
    virtual float apply(float value) const = 0;
};

struct LookConfig {
    float exposure = 1.25f;
    float contrast = 0.75f;
    float lift = 0.0625f;
};

std::vector<std::unique_ptr<Stage>> make_look(const LookConfig& config);

}  // namespace grade
