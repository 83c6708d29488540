#pragma once

#include "frame_arena.h"

constexpr int kBodies = 16384;
constexpr int kMaxSparks = 65536;

inline int sparksIn(int frame) { return frame % 2 ? kMaxSparks : 512; }

struct Stage {
    cudaStream_t stream = nullptr;
    Stage() { GPU(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
    ~Stage() { cudaStreamDestroy(stream); }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;
};

// Sparks of the frame: emitted into frame memory, then added to the light grid.
class SparkSystem {
public:
    SparkSystem();
    ~SparkSystem();
    void update(int frame, FrameArena& arena);
    cudaStream_t stream() const { return stage_.stream; }
    const int* light() const { return light_; }

private:
    Stage stage_;
    int* light_ = nullptr;
};

// Rigid bodies: contacts into frame memory, then the solver.
class BodySystem {
public:
    BodySystem();
    ~BodySystem();
    void update(int frame, FrameArena& arena);
    cudaStream_t stream() const { return stage_.stream; }
    const int* impulse() const { return impulse_; }

private:
    Stage stage_;
    int* impulse_ = nullptr;
};
