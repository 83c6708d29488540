// Particle fountain: a headless run of 24 frames, compared with the CPU simulation.
#include "frame_graph.h"

using namespace ember;

namespace {
constexpr u32 kFrames = 24, kParticles = 32768, kBins = 64;
constexpr u32 kGroup = 256, kGroups = kParticles / kGroup;

__global__ void SimulateKernel(const FrameConstants* fc, i32* position, i32* velocity) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    const u32 jitter = ((i + 1) * 2246822519u ^ fc->seed) >> 24;
    const i32 v = velocity[i] + i32(jitter) + fc->wind - fc->gravity;
    velocity[i] = v;
    position[i] += v;
}

__global__ void HistogramKernel(const i32* position, u32* histogram) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&histogram[(u32(position[i]) >> 4) % kBins], 1u);
}

__global__ void ExposureKernel(const FrameConstants* fc, const u32* histogram, u32* exposure) {
    u32 weighted = 0;
    for (u32 b = 0; b < kBins; ++b) weighted += b * histogram[b];
    exposure[fc->frame] = weighted;
}

void RecordUpload(PassContext& ctx) {
    EMBER_CHECK(cudaMemcpyAsync(ctx.scene.constants, ctx.constants, sizeof(FrameConstants),
                                cudaMemcpyHostToDevice, ctx.stream));
}

void RecordSimulate(PassContext& ctx) {
    SimulateKernel<<<kGroups, kGroup, 0, ctx.stream>>>(ctx.scene.constants, ctx.scene.position, ctx.scene.velocity);
    EMBER_CHECK(cudaGetLastError());
}

void RecordHistogram(PassContext& ctx) {
    EMBER_CHECK(cudaMemsetAsync(ctx.scene.histogram, 0, kBins * sizeof(u32), ctx.stream));
    HistogramKernel<<<kGroups, kGroup, 0, ctx.stream>>>(ctx.scene.position, ctx.scene.histogram);
    EMBER_CHECK(cudaGetLastError());
}

void RecordExposure(PassContext& ctx) {
    ExposureKernel<<<1, 1, 0, ctx.stream>>>(ctx.scene.constants, ctx.scene.histogram, ctx.scene.exposure);
    EMBER_CHECK(cudaGetLastError());
}

void RegisterParticlePasses(FrameGraph& graph) {
    graph.Add({"upload", Queue::Graphics, RecordUpload});
    graph.Add({"simulate", Queue::Graphics, RecordSimulate});
    graph.Add({"histogram", Queue::AsyncCompute, RecordHistogram});
    graph.Add({"exposure", Queue::Graphics, RecordExposure});
}

void PrecacheKernels() {
    cudaFuncAttributes attr;
    for (const void* k : {(const void*)SimulateKernel, (const void*)HistogramKernel, (const void*)ExposureKernel})
        EMBER_CHECK(cudaFuncGetAttributes(&attr, k));
}

struct Renderer {
    GpuHeap heap;
    LinearArena arenas[kFramesInFlight];
    cudaEvent_t fences[kFramesInFlight];
    SceneBuffers scene;
    FrameGraph graph;

    void Init() {
        heap.Init(4u << 20);
        for (LinearArena& a : arenas) a.Init(64u << 10);
        for (cudaEvent_t& f : fences) EMBER_CHECK(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
        scene = {heap.Carve<FrameConstants>(1), heap.Carve<i32>(kParticles), heap.Carve<i32>(kParticles),
                 heap.Carve<u32>(kBins), heap.Carve<u32>(kFrames)};
        graph.Init(scene);
        RegisterParticlePasses(graph);
        PrecacheKernels();
        EMBER_CHECK(cudaDeviceSynchronize());
    }

    LinearArena& BeginFrame(u32 frame) {
        const u32 slot = frame % kFramesInFlight;
        if (frame >= kFramesInFlight) EMBER_CHECK(cudaEventSynchronize(fences[slot]));
        arenas[slot].Reset();
        return arenas[slot];
    }

    void EndFrame(u32 frame, const FrameConstants* constants) {
        graph.Execute(constants);
        EMBER_CHECK(cudaEventRecord(fences[frame % kFramesInFlight], graph.Stream(Queue::Graphics)));
    }
};

FrameConstants Script(u32 frame) {
    return {frame, frame * 2654435761u + 17u, i32(90 + (frame * 7) % 11), i32(frame * frame % 13)};
}

i32 g_position[kParticles], g_velocity[kParticles], g_result[kParticles];
u32 g_exposure[kFrames];

u32 Verify() {
    u32 wrong = 0;
    for (u32 f = 0; f < kFrames; ++f) {
        const FrameConstants fc = Script(f);
        u32 weighted = 0;
        for (u32 i = 0; i < kParticles; ++i) {
            const u32 jitter = ((i + 1) * 2246822519u ^ fc.seed) >> 24;
            g_velocity[i] += i32(jitter) + fc.wind - fc.gravity;
            g_position[i] += g_velocity[i];
            weighted += (u32(g_position[i]) >> 4) % kBins;
        }
        wrong += g_exposure[f] != weighted;
    }
    for (u32 i = 0; i < kParticles; ++i) wrong += g_result[i] != g_position[i];
    return wrong;
}

}  // namespace

int main() {
    static Renderer r;
    r.Init();
    for (u32 frame = 0; frame < kFrames; ++frame) {
        LinearArena& arena = r.BeginFrame(frame);
        FrameConstants* constants = arena.New<FrameConstants>();
        *constants = Script(frame);
        r.EndFrame(frame, constants);
    }
    EMBER_CHECK(cudaStreamSynchronize(r.graph.Stream(Queue::Graphics)));
    EMBER_CHECK(cudaMemcpy(g_result, r.scene.position, sizeof(g_result), cudaMemcpyDeviceToHost));
    EMBER_CHECK(cudaMemcpy(g_exposure, r.scene.exposure, sizeof(g_exposure), cudaMemcpyDeviceToHost));
    const u32 wrong = Verify();
    std::printf(wrong ? "WRONG %u\n" : "DONE\n", wrong);
}
