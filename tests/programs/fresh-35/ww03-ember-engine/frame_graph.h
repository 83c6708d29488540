// Ember engine - frame graph: a list of passes, baked once and replayed each frame.
#pragma once
#include "core.h"

namespace ember {

enum class Queue : u8 { Graphics, AsyncCompute, Count };

struct FrameConstants {
    u32 frame, seed;
    i32 gravity, wind;
};

struct SceneBuffers {
    FrameConstants* constants;
    i32 *position, *velocity;
    u32 *histogram, *exposure;
};

struct PassContext {
    cudaStream_t stream;
    const FrameConstants* constants;
    const SceneBuffers& scene;
};

struct Pass {
    const char* name;
    Queue queue;
    void (*record)(PassContext&);
};

class FrameGraph {
public:
    void Init(const SceneBuffers& scene);
    void Add(const Pass& pass);
    void Execute(const FrameConstants* constants);
    cudaStream_t Stream(Queue q) const { return m_streams[u32(q)]; }

private:
    void Bake(const FrameConstants* constants);
    SceneBuffers m_scene{};
    FixedArray<Pass, 16> m_passes;
    cudaStream_t m_streams[u32(Queue::Count)] = {};
    FixedArray<cudaEvent_t, 16> m_handoffs;
    cudaGraphExec_t m_baked = nullptr;
    bool m_dirty = true;
};

}  // namespace ember
