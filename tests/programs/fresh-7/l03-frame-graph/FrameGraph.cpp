#include "FrameGraph.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace gfx {

void Verify(cudaError_t result) {
    if (result == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(result));
    std::exit(1);
}

FrameGraph::FrameGraph() {
    for (auto& q : m_queues) GFX_CHECK(cudaStreamCreateWithFlags(&q, cudaStreamNonBlocking));
    for (auto& perQueue : m_fences)
        for (auto& f : perQueue) GFX_CHECK(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
}

FrameGraph::~FrameGraph() {
    for (auto& t : m_textures) {
        for (auto* p : t.m_storage) cudaFree(p);
        for (auto e : t.m_written) cudaEventDestroy(e);
    }
    for (auto& perQueue : m_fences)
        for (auto f : perQueue) cudaEventDestroy(f);
    for (auto q : m_queues) cudaStreamDestroy(q);
}

TextureId FrameGraph::DeclareTexture(std::string name, size_t texels) {
    Texture t;
    t.m_name = std::move(name);
    t.m_texels = texels;
    m_textures.push_back(std::move(t));
    return static_cast<TextureId>(m_textures.size() - 1);
}

TextureId FrameGraph::FindTexture(const std::string& name) const {
    auto it = std::find_if(m_textures.begin(), m_textures.end(),
                           [&](const Texture& t) { return t.m_name == name; });
    return it == m_textures.end() ? -1 : static_cast<TextureId>(it - m_textures.begin());
}

void FrameGraph::AddPass(Pass pass) { m_passes.push_back(std::move(pass)); }

void FrameGraph::Compile() {
    for (auto& t : m_textures) {
        for (int slot = 0; slot < kFramesInFlight; ++slot) {
            GFX_CHECK(cudaMalloc(&t.m_storage[slot], t.m_texels * sizeof(float)));
            GFX_CHECK(cudaMemset(t.m_storage[slot], 0, t.m_texels * sizeof(float)));
            GFX_CHECK(cudaEventCreateWithFlags(&t.m_written[slot], cudaEventDisableTiming));
        }
    }
    GFX_CHECK(cudaDeviceSynchronize());
}

void FrameGraph::Execute(int frameIndex) {
    const int slot = frameIndex % kFramesInFlight;
    for (auto& perQueue : m_fences) GFX_CHECK(cudaEventSynchronize(perQueue[slot]));

    for (const Pass& pass : m_passes) {
        cudaStream_t stream = m_queues[static_cast<int>(pass.m_queue)];
        for (TextureId id : pass.m_reads)
            GFX_CHECK(cudaStreamWaitEvent(stream, m_textures[id].m_written[slot], 0));
        FrameContext ctx{frameIndex, slot, stream, &m_textures};
        pass.m_record(ctx);
        GFX_CHECK(cudaGetLastError());
        for (TextureId id : pass.m_writes)
            GFX_CHECK(cudaEventRecord(m_textures[id].m_written[slot], stream));
    }

    for (size_t q = 0; q < m_queues.size(); ++q)
        GFX_CHECK(cudaEventRecord(m_fences[q][slot], m_queues[q]));
}

void FrameGraph::Flush() {
    for (auto q : m_queues) GFX_CHECK(cudaStreamSynchronize(q));
}

}  // namespace gfx
