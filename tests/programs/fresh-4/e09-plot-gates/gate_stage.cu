#include "cuda_expect.h"
#include "gate_stage.h"
#include <algorithm>

namespace trk {
namespace {

__global__ void apply_gains(const int* plots, const int* gains, int* gated, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gated[i] = plots[i] * gains[i % kGains];
}

__global__ void clamp_gates(int* gated, int limit, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gated[i] = min(max(gated[i], -limit), limit);
}

}  // namespace

GateStage::GateStage(StagingArena& arena, const GainTable& gains, const int* plots)
{
    TRK_EXPECT(cudaMalloc(reinterpret_cast<void**>(&device_gains_), sizeof(GainTable)));
    TRK_EXPECT(cudaMalloc(reinterpret_cast<void**>(&gated_), kTracks * sizeof(int)));
    record(arena, gains, plots);
}

GateStage::~GateStage()
{
    cudaGraphExecDestroy(exec_);
    cudaFree(gated_);
    cudaFree(device_gains_);
}

void GateStage::record(StagingArena& arena, const GainTable& gains, const int* plots)
{
    staging_ = arena.lease();
    std::copy(gains.begin(), gains.end(), staging_.as<int>());

    cudaStream_t recorder;
    TRK_EXPECT(cudaStreamCreateWithFlags(&recorder, cudaStreamNonBlocking));
    TRK_EXPECT(cudaStreamBeginCapture(recorder, cudaStreamCaptureModeThreadLocal));
    TRK_EXPECT(cudaMemcpyAsync(device_gains_, staging_.as<int>(), sizeof(GainTable),
                               cudaMemcpyHostToDevice, recorder));
    apply_gains<<<(kTracks + 255) / 256, 256, 0, recorder>>>(plots, device_gains_, gated_, kTracks);
    clamp_gates<<<(kTracks + 255) / 256, 256, 0, recorder>>>(gated_, 100000, kTracks);
    cudaGraph_t graph;
    TRK_EXPECT(cudaStreamEndCapture(recorder, &graph));
    TRK_EXPECT(cudaGraphInstantiate(&exec_, graph, 0));
    TRK_EXPECT(cudaGraphDestroy(graph));
    TRK_EXPECT(cudaStreamDestroy(recorder));
}

void GateStage::replay(cudaStream_t stream) const
{
    TRK_EXPECT(cudaGraphLaunch(exec_, stream));
}

}  // namespace trk
