#include "equaliser.h"

namespace {

__global__ void histogram(const std::uint8_t* in, int n, std::uint32_t* bins) {
    __shared__ std::uint32_t local[Equaliser::kBins];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void tone_curve(const std::uint32_t* bins, int n, std::uint8_t* curve) {
    if (threadIdx.x != 0) return;
    unsigned long long seen = 0;
    for (int b = 0; b < Equaliser::kBins; ++b) {
        seen += bins[b];
        const unsigned long long v = seen * 255ull / static_cast<unsigned long long>(n);
        curve[b] = static_cast<std::uint8_t>(v > 255ull ? 255ull : v);
    }
}

__global__ void apply_curve(const std::uint8_t* in, int n, const std::uint8_t* curve, std::uint8_t* out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = curve[in[i]];
}

}  // namespace

Equaliser::Equaliser(DetectorContext& ctx)
    : ctx_(ctx),
      input_(ctx.pixels(), ctx.transfer),
      output_(ctx.pixels(), ctx.transfer),
      bins_(kBins, ctx.transfer),
      curve_(kBins, ctx.compute) {
    record();
}

Equaliser::~Equaliser() {
    cudaStreamSynchronize(ctx_.compute);
    cudaStreamSynchronize(ctx_.transfer);
    cudaGraphExecDestroy(exec_);
}

void Equaliser::record() {
    const int n = ctx_.pixels();
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(ctx_.compute, cudaStreamCaptureModeThreadLocal));
    bins_.clear();
    histogram<<<128, kBins, 0, ctx_.compute>>>(input_.get(), n, bins_.get());
    CHECK(cudaGetLastError());
    tone_curve<<<1, 32, 0, ctx_.compute>>>(bins_.get(), n, curve_.get());
    CHECK(cudaGetLastError());
    apply_curve<<<128, 256, 0, ctx_.compute>>>(input_.get(), n, curve_.get(), output_.get());
    CHECK(cudaGetLastError());
    CHECK(cudaStreamEndCapture(ctx_.compute, &graph));
    CHECK(cudaGraphInstantiate(&exec_, graph, 0));
    CHECK(cudaGraphDestroy(graph));
}

void Equaliser::process(const std::uint8_t* frame, std::uint8_t* result) {
    input_.upload(frame);
    CHECK(cudaEventRecord(ctx_.arrived, ctx_.transfer));
    CHECK(cudaStreamWaitEvent(ctx_.compute, ctx_.arrived, 0));
    CHECK(cudaGraphLaunch(exec_, ctx_.compute));
    CHECK(cudaEventRecord(ctx_.processed, ctx_.compute));
    CHECK(cudaStreamWaitEvent(ctx_.transfer, ctx_.processed, 0));
    output_.download(result);
}
