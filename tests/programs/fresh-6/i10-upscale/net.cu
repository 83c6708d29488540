#include "net.h"

#include <algorithm>

namespace {

__global__ void convolve(std::uint32_t* state, std::size_t n, const std::uint32_t* taps) {
    const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
    if (i < n) state[i] = state[i] * 3u + taps[i % kTaps];
}

DeviceWords device_words(std::size_t n) {
    void* p = nullptr;
    check(cudaMalloc(&p, n * sizeof(std::uint32_t)));
    return DeviceWords(static_cast<std::uint32_t*>(p));
}
PinnedWords pinned_words(std::size_t n) {
    void* p = nullptr;
    check(cudaMallocHost(&p, n * sizeof(std::uint32_t)));
    return PinnedWords(static_cast<std::uint32_t*>(p));
}

}  // namespace

UpscaleNet::UpscaleNet(std::size_t pixels, std::size_t layers)
    : pixels_(pixels),
      layers_(layers),
      staging_(pinned_words(kTaps)),
      image_(pinned_words(pixels)),
      taps_(device_words(kTaps * layers)),
      state_(device_words(pixels)) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

UpscaleNet::~UpscaleNet() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
}

UpscaleNet& UpscaleNet::layer(TapSource taps) {
    sources_.push_back(std::move(taps));
    return *this;
}

void UpscaleNet::enqueue_layer(std::size_t index, const TapSource& taps) {
    std::uint32_t* host = staging_.get();
    for (std::size_t i = 0; i < kTaps; ++i) host[i] = taps(i);
    std::uint32_t* dev = taps_.get() + index * kTaps;
    check(cudaMemcpyAsync(dev, host, kTaps * sizeof(std::uint32_t), cudaMemcpyHostToDevice, stream_));
    convolve<<<static_cast<unsigned>((pixels_ + 255) / 256), 256, 0, stream_>>>(state_.get(), pixels_, dev);
    check(cudaGetLastError());
}

void UpscaleNet::build() {
    if (sources_.size() != layers_) throw CudaError("layer count");
    const std::size_t bytes = pixels_ * sizeof(std::uint32_t);
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    check(cudaMemcpyAsync(state_.get(), image_.get(), bytes, cudaMemcpyHostToDevice, stream_));
    for (std::size_t i = 0; i < layers_; ++i) enqueue_layer(i, sources_[i]);
    check(cudaMemcpyAsync(image_.get(), state_.get(), bytes, cudaMemcpyDeviceToHost, stream_));
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream_, &graph));

    cudaGraphExec_t exec = nullptr;
    check(cudaGraphInstantiate(&exec, graph, 0));
    exec_.reset(exec);
    check(cudaGraphDestroy(graph));
}

std::vector<std::uint32_t> UpscaleNet::infer(const std::vector<std::uint32_t>& image) {
    std::copy(image.begin(), image.end(), image_.get());
    check(cudaGraphLaunch(exec_.get(), stream_));
    check(cudaStreamSynchronize(stream_));
    return {image_.get(), image_.get() + pixels_};
}
