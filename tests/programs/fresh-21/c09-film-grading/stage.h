// Steps that a frame goes through.
#pragma once

#include "lane.h"

#include <array>

namespace film {

// Colour decision of a shot: rows of red, green and blue, each with an offset, then an exponent for each.
struct Grade {
    std::array<float, 12> matrix;
    std::array<float, 3> gamma;
};

struct FrameView {
    float4* pixels;
    int width, height;
    Grade grade;
};

class Stage {
public:
    virtual ~Stage() = default;
    // Enqueues the stage's work on the frame, in place.
    virtual void enqueue(const FrameView& frame, cudaStream_t stream) = 0;
};

void copyPixels(float4* to, const float4* from, std::size_t count, cudaStream_t stream);

class GradeStage final : public Stage {
public:
    void enqueue(const FrameView& frame, cudaStream_t stream) override;
};

class VignetteStage final : public Stage {
public:
    explicit VignetteStage(float strength) : strength_(strength) {}
    void enqueue(const FrameView& frame, cudaStream_t stream) override;

private:
    float strength_;
};

}  // namespace film
