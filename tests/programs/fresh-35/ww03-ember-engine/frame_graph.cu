#include "frame_graph.h"

namespace ember {

void FrameGraph::Init(const SceneBuffers& scene) {
    m_scene = scene;
    for (cudaStream_t& s : m_streams) EMBER_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
}

void FrameGraph::Add(const Pass& pass) {
    m_passes.Push(pass);
    m_dirty = true;
    m_handoffs.Push(nullptr);
    EMBER_CHECK(cudaEventCreateWithFlags(&m_handoffs[m_handoffs.Count() - 1], cudaEventDisableTiming));
}

void FrameGraph::Bake(const FrameConstants* constants) {
    if (m_baked) EMBER_CHECK(cudaGraphExecDestroy(m_baked));
    const cudaStream_t origin = Stream(Queue::Graphics);
    cudaStream_t current = origin;
    cudaGraph_t graph;
    EMBER_CHECK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
    for (u32 i = 0; i < m_passes.Count(); ++i) {
        const cudaStream_t next = Stream(m_passes[i].queue);
        if (next != current) {
            EMBER_CHECK(cudaEventRecord(m_handoffs[i], current));
            EMBER_CHECK(cudaStreamWaitEvent(next, m_handoffs[i], 0));
            current = next;
        }
        PassContext ctx{current, constants, m_scene};
        m_passes[i].record(ctx);
    }
    EMBER_CHECK(cudaStreamEndCapture(origin, &graph));
    EMBER_CHECK(cudaGraphInstantiate(&m_baked, graph, 0));
    EMBER_CHECK(cudaGraphDestroy(graph));
    m_dirty = false;
}

void FrameGraph::Execute(const FrameConstants* constants) {
    if (m_dirty) Bake(constants);
    EMBER_CHECK(cudaGraphLaunch(m_baked, Stream(Queue::Graphics)));
}

}  // namespace ember
