#pragma once
#include "surface.hpp"

namespace vpp {

// One step of the processing of a frame. Stages are shared by the lanes and hold no state of a frame.
class Stage {
public:
    virtual ~Stage() = default;
    virtual Size outputSize(Size in) const = 0;
    virtual void enqueue(const Plane &in, const Plane &out, cudaStream_t stream) const = 0;
};

// Pads the frame to the target's size, centred, with a border colour; larger frames are scaled down.
class Letterbox : public Stage {
public:
    Letterbox(Size target, uint8_t border) : target_(target), border_(border) {}
    Size outputSize(Size) const override { return target_; }
    void enqueue(const Plane &in, const Plane &out, cudaStream_t stream) const override;

private:
    Size target_;
    uint8_t border_;
};

class GainOffset : public Stage {
public:
    GainOffset(float gain, float offset) : gain_(gain), offset_(offset) {}
    Size outputSize(Size in) const override { return in; }
    void enqueue(const Plane &in, const Plane &out, cudaStream_t stream) const override;

private:
    float gain_, offset_;
};

class FlipVertical : public Stage {
public:
    Size outputSize(Size in) const override { return in; }
    void enqueue(const Plane &in, const Plane &out, cudaStream_t stream) const override;
};

} // namespace vpp
