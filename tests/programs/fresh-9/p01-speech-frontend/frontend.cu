#include "frontend.h"

namespace mel {
namespace {

__global__ void filterbank(const std::int32_t* samples, const std::int32_t* taps, std::int32_t* features, int frames,
                           int hop, int bands, int width, int preemphasis) {
    const int band = threadIdx.x;
    for (int f = blockIdx.x; f < frames; f += gridDim.x) {
        std::int32_t acc = 0;
        for (int k = 0; k < width; ++k) {
            const std::int32_t x = samples[f * hop + k] - preemphasis * samples[f * hop + k + 1];
            acc += taps[band * width + k] * x;
        }
        features[f * bands + band] = acc;
    }
}

__global__ void compress(std::int32_t* features, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) features[i] = features[i] >= 0 ? features[i] >> 1 : -((-features[i]) >> 1);
}

}  // namespace

int tap(const FilterbankOptions& o, int band, int k) {
    const int centre = (band * o.slope + o.width / 2) % o.width;
    const int d = k > centre ? k - centre : centre - k;
    return o.width - d * (o.slope - 1);
}

Frontend::Frontend(int frames, int hop, cudaStream_t stream)
    : frames_(frames), hop_(hop), stream_(stream), staging_(kMaxTaps * sizeof(std::int32_t), 4) {
    ok(cudaMalloc(&samples_, (std::size_t(frames) * hop + kMaxTaps) * sizeof(std::int32_t)));
    ok(cudaMalloc(&features_, std::size_t(frames) * 64 * sizeof(std::int32_t)));
    ok(cudaMalloc(&taps_, kMaxTaps * sizeof(std::int32_t)));
}

Frontend::~Frontend() {
    cudaStreamSynchronize(stream_);
    cudaFree(taps_);
    cudaFree(features_);
    cudaFree(samples_);
}

Program Frontend::compile(const FilterbankOptions& opt) {
    StagingPool::Block block = staging_.take();
    auto* host_taps = block.as<std::int32_t>();
    for (int b = 0; b < opt.bands; ++b)
        for (int k = 0; k < opt.width; ++k) host_taps[b * opt.width + k] = tap(opt, b, k);

    const int n = frames_ * opt.bands;
    cudaGraph_t graph = nullptr;
    ok(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    ok(cudaMemcpyAsync(taps_, host_taps, sizeof(std::int32_t) * opt.bands * opt.width, cudaMemcpyHostToDevice, stream_));
    filterbank<<<256, opt.bands, 0, stream_>>>(samples_, taps_, features_, frames_, hop_, opt.bands, opt.width,
                                               opt.preemphasis);
    ok(cudaGetLastError());
    compress<<<(n + 255) / 256, 256, 0, stream_>>>(features_, n);
    ok(cudaGetLastError());
    ok(cudaStreamEndCapture(stream_, &graph));

    Program p;
    const cudaError_t e = cudaGraphInstantiate(&p.exec_, graph, 0);
    cudaGraphDestroy(graph);
    ok(e);
    return p;
}

}  // namespace mel
