#include "FrameGraph.h"

#include <cstdio>
#include <memory>

namespace {

constexpr int kTexels = 64 * 64;
constexpr int kFrames = 10;

__device__ void Burn(unsigned ms) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < ms * 1000000ull);
}

__global__ void GeometryCS(float* gbuffer, int frame) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kTexels) gbuffer[i] = static_cast<float>(i % 64 + frame);
}

__global__ void ShadowCS(float* map, int frame) {
    Burn(30);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kTexels) map[i] = static_cast<float>((frame + 1) * 2 + i % 3);
}

__global__ void LightingCS(const float* gbuffer, const float* shadow, float* hdr) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kTexels) hdr[i] = gbuffer[i] * 16.0f + shadow[i];
}

__global__ void TonemapCS(const float* hdr, float* back) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kTexels) back[i] = hdr[i] + 1.0f;
}

struct PinnedDeleter {
    void operator()(float* p) const { cudaFreeHost(p); }
};
using PinnedPixels = std::unique_ptr<float[], PinnedDeleter>;

PinnedPixels AllocatePixels(size_t count) {
    float* p = nullptr;
    GFX_CHECK(cudaHostAlloc(&p, count * sizeof(float), cudaHostAllocDefault));
    return PinnedPixels(p);
}

void InstallCore(gfx::FrameGraph& graph, float* screenshots) {
    const auto gbuffer = graph.DeclareTexture("gbuffer", kTexels);
    const auto shadow = graph.DeclareTexture("shadowmap", kTexels);
    const auto hdr = graph.DeclareTexture("hdr", kTexels);
    const auto back = graph.DeclareTexture("backbuffer", kTexels);
    constexpr int groups = kTexels / 256;

    graph.AddPass({"geometry", gfx::Queue::Graphics, {}, {gbuffer}, [=](const gfx::FrameContext& f) {
                       GeometryCS<<<groups, 256, 0, f.m_stream>>>(f.Map(gbuffer), f.m_index);
                   }});
    graph.AddPass({"lighting", gfx::Queue::Graphics, {gbuffer, shadow}, {hdr}, [=](const gfx::FrameContext& f) {
                       LightingCS<<<groups, 256, 0, f.m_stream>>>(f.Map(gbuffer), f.Map(shadow), f.Map(hdr));
                   }});
    graph.AddPass({"tonemap", gfx::Queue::Graphics, {hdr}, {back}, [=](const gfx::FrameContext& f) {
                       TonemapCS<<<groups, 256, 0, f.m_stream>>>(f.Map(hdr), f.Map(back));
                   }});
    graph.AddPass({"screenshot", gfx::Queue::Graphics, {back}, {}, [=](const gfx::FrameContext& f) {
                       GFX_CHECK(cudaMemcpyAsync(screenshots + size_t(f.m_index) * kTexels, f.Map(back),
                                                 kTexels * sizeof(float), cudaMemcpyDeviceToHost, f.m_stream));
                   }});
}

void InstallShadows(gfx::FrameGraph& graph) {
    const auto shadow = graph.FindTexture("shadowmap");
    graph.AddPass({"shadows", gfx::Queue::AsyncCompute, {}, {shadow}, [=](const gfx::FrameContext& f) {
                       ShadowCS<<<kTexels / 256, 256, 0, f.m_stream>>>(f.Map(shadow), f.m_index);
                   }});
}

int CompareFrame(const float* pixels, int frame) {
    int bad = 0;
    for (int i = 0; i < kTexels; ++i) {
        const float expected = (i % 64 + frame) * 16.0f + ((frame + 1) * 2 + i % 3) + 1.0f;
        bad += pixels[i] != expected;
    }
    return bad;
}

}  // namespace

int main() {
    auto screenshots = AllocatePixels(size_t(kFrames) * kTexels);
    int wrong = 0;
    {
        gfx::FrameGraph graph;
        InstallCore(graph, screenshots.get());
        InstallShadows(graph);
        graph.Compile();
        for (int frame = 0; frame < kFrames; ++frame) graph.Execute(frame);
        graph.Flush();
        for (int frame = 0; frame < kFrames; ++frame)
            wrong += CompareFrame(screenshots.get() + size_t(frame) * kTexels, frame);
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
